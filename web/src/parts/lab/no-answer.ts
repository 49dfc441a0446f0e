import { StakewrightError } from '@stakewright/client'
import { useMemo } from 'preact/hooks'
import type { Choice } from '../../data/allocation/choice.ts'
import type { Infeasible } from '../../data/allocation/read-choice.ts'
import type { Network } from '../../data/queries.ts'
import { retryMsOf } from '../../data/service.ts'
import { badge } from '../badge.ts'
import { formatExactTokens, formatShare, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { Failure } from '../state.ts'
import { Countdown } from '../time.ts'

/** Why there is no answer to the present request. After a limit the page retries by itself. */
export function NoAnswer({ error, retry }: { readonly error: unknown; readonly retry: () => void }): View {
  const until = useMemo(() => Date.now() + (retryMsOf(error) ?? 0), [error])
  if (!(error instanceof StakewrightError) || error.status !== 429) return h(Failure, { error, retry })
  return html`<div class="notice" data-tone="attention" role="alert"><span>Too many requests came from your address in this minute; those of others there count, too. The page asks again by itself in ${h(Countdown, { until })}.</span></div>`
}

/** Says that the shown split belongs to an earlier choice. */
export const oldNote = ({ amount }: Choice, { decimals, symbol }: Network): View =>
  html`<p class="old-note">${badge('old', 'attention')} This is the last split, for ${formatExactTokens(amount, decimals)} ${symbol} and what you had chosen then.</p>`

/** Says that the validators with their largest share cannot hold the amount, and offers the two changes that help. */
export function infeasibleNotice(
  { maxValidators, maxShare, enough }: Infeasible,
  change: (part: Partial<Choice>) => void,
): View {
  const held = `${plural(maxValidators, 'validator')} with at most ${formatShare(maxShare, 0)} each ${maxValidators === 1 ? 'holds' : 'hold'} only ${formatShare(maxValidators * maxShare, 0)} of the amount.`
  const validators = enough.maxValidators
  return html`<div class="notice" data-tone="attention" role="alert"><span>${held}</span>
    <button type="button" class="link-button" onClick=${() => change({ maxShare: enough.maxShare })}>Allow ${formatShare(enough.maxShare, 0)} each</button>
    ${validators !== undefined && html`<button type="button" class="link-button" onClick=${() => change({ maxValidators: validators })}>Allow ${plural(validators, 'validator')}</button>`}</div>`
}
