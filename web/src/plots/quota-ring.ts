import { html, type View } from '../parts/html.ts'

const SIZE = 20
const RADIUS = 8
const ROUND = 2 * Math.PI * RADIUS
const NEARLY = 0.9

/** The used part of a limit as a ring; the number is beside it. */
export function quotaRing(used: number, limit: number): View {
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  const place = { cx: SIZE / 2, cy: SIZE / 2, r: RADIUS }
  return html`<svg class="quota-ring" width=${SIZE} height=${SIZE} viewBox=${`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" data-tone=${share >= NEARLY ? 'attention' : 'neutral'}>
    <circle class="ring-track" ...${place} />
    ${share > 0 && html`<circle class="ring-used" ...${place} stroke-dasharray=${`${share * ROUND} ${ROUND}`} transform=${`rotate(-90 ${SIZE / 2} ${SIZE / 2})`} />`}
  </svg>`
}
