import type { RewardsAhead } from '../data/rebalance/rewards-ahead.ts'
import { formatTokenTick } from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { Measured } from './measured.ts'
import { linearScale, ticks } from './scale.ts'

const HEIGHT = 260
const PLOT = { left: 56, right: 70, top: 16, bottom: 34 }

type BreakEven = {
  readonly ahead: RewardsAhead
  readonly decimals: number
  readonly horizon: number
}

/** Total rewards with and without the move: behind at first, ahead after the crossing. */
export const breakEvenPlot = (plan: BreakEven): View =>
  h(Measured, { height: HEIGHT, draw: (width: number) => drawBreakEven(plan, width) })

function drawBreakEven({ ahead, decimals, horizon }: BreakEven, width: number): View {
  const { complete, crossing } = ahead
  const end = Math.max(horizon, Math.ceil(crossing * 1.5))
  const hold = (epochs: number) => ahead.hold(epochs) / 10 ** decimals
  const move = (epochs: number) => ahead.move(epochs) / 10 ** decimals
  const most = Math.max(hold(end), move(end))
  const x = linearScale([0, end], [PLOT.left, width - PLOT.right])
  const y = linearScale([0, most], [HEIGHT - PLOT.bottom, PLOT.top])
  const moveBends = [0, Math.max(0, complete - 1), complete, end]
  const movePath = `M${moveBends.map((epochs) => `${x(epochs)} ${y(move(epochs))}`).join('L')}`
  const marks = ticks(0, end, width < 480 ? 4 : 6)
  const holdEnd = y(hold(end))
  const moveEnd = y(move(end))
  const apart = Math.max(0, 14 - Math.abs(holdEnd - moveEnd)) / 2
  return html`<svg class="break-even" width=${width} height=${HEIGHT} aria-hidden="true">
    ${ticks(0, most, 4).map((value) => html`<g><line class="axis-line" x1=${PLOT.left} x2=${width - PLOT.right} y1=${y(value)} y2=${y(value)} /><text x=${PLOT.left - 8} y=${y(value) + 4} text-anchor="end">${formatTokenTick(value)}</text></g>`)}
    ${marks.map((epoch) => html`<text x=${x(epoch)} y=${HEIGHT - 12} text-anchor=${epoch === 0 ? 'start' : 'middle'}>${epoch === 0 ? 'now' : epoch}</text>`)}
    <path class="hold" d=${`M${x(0)} ${y(0)}L${x(end)} ${holdEnd}`} />
    <path class="move" d=${movePath} />
    <text class="hold" x=${width - PLOT.right + 8} y=${holdEnd + 4 + apart}>hold</text>
    <text class="move" x=${width - PLOT.right + 8} y=${moveEnd + 4 - apart}>move</text>
    <line class="crossing" x1=${x(crossing)} x2=${x(crossing)} y1=${y(hold(crossing))} y2=${HEIGHT - PLOT.bottom} />
    <circle cx=${x(crossing)} cy=${y(hold(crossing))} r="4.5" />
  </svg>`
}
