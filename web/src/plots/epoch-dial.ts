import { html, type View } from '../parts/html.ts'

const SIZE = 132
const RADIUS = 57
const ROUND = 2 * Math.PI * RADIUS

/** The progress of the epoch as a ring. */
export function epochDial(progress: number, inside: View): View {
  const done = Math.min(1, Math.max(0, progress)) * ROUND
  return html`<div class="dial">
    <svg width=${SIZE} height=${SIZE} viewBox=${`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
      <circle class="dial-track" cx=${SIZE / 2} cy=${SIZE / 2} r=${RADIUS} />
      <circle class="dial-done" cx=${SIZE / 2} cy=${SIZE / 2} r=${RADIUS} stroke-dasharray=${`${done} ${ROUND}`} transform=${`rotate(-90 ${SIZE / 2} ${SIZE / 2})`} />
    </svg>
    <div class="dial-inside">${inside}</div>
  </div>`
}
