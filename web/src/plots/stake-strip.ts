import { formatTokens } from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { Measured } from './measured.ts'
import { linearScale } from './scale.ts'

const HEIGHT = 72
const MIDDLE = 34

type StripDot = { readonly id: string; readonly stake: bigint }

type Strip = {
  readonly dots: readonly StripDot[]
  readonly own: string
  readonly threshold: bigint
  readonly decimals: number
}

/** All stakes on one logarithmic line, with the threshold and the validator's own stake. */
export const stakeStrip = (strip: Strip): View =>
  h(Measured, { height: HEIGHT, draw: (width: number) => drawStrip(strip, width) })

function drawStrip({ dots, own, threshold, decimals }: Strip, width: number): View {
  const logs = [...dots.map(({ stake }) => stake), threshold]
    .filter((stake) => stake > 0n)
    .map((stake) => Math.log10(Number(stake)))
  const x = linearScale([Math.min(...logs), Math.max(...logs)], [16, width - 16])
  const anchor = (place: number) => (place < 70 ? 'start' : place > width - 70 ? 'end' : 'middle')
  const at = (stake: bigint) => x(Math.log10(Number(stake)))
  const ordered = dots
    .filter(({ stake }) => stake > 0n)
    .toSorted((a, b) => Number(a.id === own) - Number(b.id === own))
  const mine = dots.find(({ id }) => id === own)
  return html`<svg class="strip" width=${width} height=${HEIGHT} aria-hidden="true">
    <line class="axis-line" x1="0" x2=${width} y1=${MIDDLE} y2=${MIDDLE} />
    ${threshold > 0n && html`<line class="threshold" x1=${at(threshold)} x2=${at(threshold)} y1="6" y2=${MIDDLE + 16} />`}
    ${ordered.map(({ id, stake }) => html`<circle cx=${at(stake)} cy=${MIDDLE} r=${id === own ? 7 : 4} data-own=${id === own} />`)}
    ${threshold > 0n && html`<text class="mark" x=${at(threshold)} y=${HEIGHT - 2} text-anchor=${anchor(at(threshold))}>a seat needs ${formatTokens(threshold, decimals)}</text>`}
    ${mine && mine.stake > 0n && html`<text class="own" x=${at(mine.stake)} y="14" text-anchor=${anchor(at(mine.stake))}>${formatTokens(mine.stake, decimals)}</text>`}
  </svg>`
}
