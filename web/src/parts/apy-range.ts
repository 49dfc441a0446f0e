import type { Reply } from '@stakewright/client'
import { formatPercent, formatShare, plural } from './format.ts'
import { html, type View } from './html.ts'

type Range = Reply<'allocate'>['range']

/** Where the yield is expected to lie, in a sentence; nothing while the history is too short to tell. */
export const rangeSentence = (range: Range): View =>
  range === null
    ? html`<p class="small soft">The history is too short to say how far off this may be.</p>`
    : html`<p class="small soft">Expected between <strong class="number">${formatPercent(range.low)}</strong> and <strong class="number">${formatPercent(range.high)}</strong> in ${formatShare(range.level, 0)} of cases, over ${plural(range.epochs, 'epoch')}. <a href="/accuracy">How good projections were</a></p>`

/** The same beside a figure. */
export const rangeText = (range: Range): string =>
  range === null ? '' : `${formatPercent(range.low)} – ${formatPercent(range.high)}`
