import { formatPercent } from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { isolateName } from '../parts/validator-link.ts'
import { Measured } from './measured.ts'
import { linearScale, linePath, ticks } from './scale.ts'
import { tokenText } from './tokens.ts'

type MarginalCurve = {
  readonly id: string
  readonly name: string
  readonly points: readonly { readonly amount: number; readonly rate: number }[]
  /** The chosen amount; `undefined` for the validator that was not chosen. */
  readonly chosen: number | undefined
}

const HEIGHT = 340
const PLOT = { left: 48, right: 112, top: 14, bottom: 34 }
/** More coloured lines cannot be told apart; the others are drawn grey. */
const COLOURS = 6
const LABEL_GAP = 14
/** The space for labels between the ends of the lines and the edge of the drawing. */
const LABEL_ROOM = PLOT.right - 8

type Drawn = {
  readonly x: (value: number) => number
  readonly y: (value: number) => number
  /** Where the lines end and their labels begin. */
  readonly end: number
}

/** The marginal rate by amount of every chosen validator; each is filled down to a common level. */
export const marginalCurves = (
  curves: readonly MarginalCurve[],
  level: number,
  formatAmount: (tokens: number) => string,
): View =>
  h(Measured, { height: HEIGHT, draw: (width: number) => drawCurves(curves, level, formatAmount, width) })

function drawCurves(
  curves: readonly MarginalCurve[],
  level: number,
  formatAmount: (tokens: number) => string,
  width: number,
): View {
  const all = curves.flatMap(({ points }) => points)
  const most = Math.max(...all.map(({ amount }) => amount), 1e-9)
  const rates = [...all.map(({ rate }) => rate), level]
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  const pad = Math.max((high - low) * 0.08, Math.abs(high) * 0.005)
  const end = width - PLOT.right
  const x = linearScale([0, most], [PLOT.left, end])
  const y = linearScale([low - pad, high + pad], [HEIGHT - PLOT.bottom, PLOT.top])
  const drawn: Drawn = { x, y, end }
  // The label of the level is beside the end of its line, like those of the curves: inside it would cover the curves.
  const [levelY = 0, ...labels] = spread(
    [y(level), ...curves.map(({ points }) => y(points.at(-1)?.rate ?? level))],
    LABEL_GAP,
    [PLOT.top, HEIGHT - PLOT.bottom - 6],
  )
  return html`<svg class="curves" width=${width} height=${HEIGHT} aria-hidden="true">
    ${ticks(low - pad, high + pad, 5).map((rate) => html`<g><line class="axis-line" x1=${PLOT.left} x2=${end} y1=${y(rate)} y2=${y(rate)} /><text x=${PLOT.left - 8} y=${y(rate) + 4} text-anchor="end">${formatPercent(rate, 1)}</text></g>`)}
    ${ticks(0, most, width < 480 ? 2 : 4).map((amount) => html`<text x=${x(amount)} y=${HEIGHT - 12} text-anchor="middle">${formatAmount(amount)}</text>`)}
    <line class="level" x1=${PLOT.left} x2=${end} y1=${y(level)} y2=${y(level)} />
    <text class="level-text" x=${end + 8} y=${levelY + 4}>level ${formatPercent(level)}</text>
    ${curves.map((curve, index) => curvePath(curve, index, drawn, labels[index] ?? 0))}
    ${curves.map((curve, index) => curvePoint(curve, index, drawn, level))}
  </svg>`
}

const seriesOf = ({ chosen }: MarginalCurve, index: number) =>
  chosen === undefined ? 'next' : index < COLOURS ? String(index + 1) : 'rest'

function curvePath(curve: MarginalCurve, index: number, { x, y, end }: Drawn, labelY: number): View {
  const path = linePath(curve.points.map(({ amount, rate }) => [x(amount), y(rate)] as const))
  const isLabelled = curve.chosen === undefined || index < COLOURS
  return html`<g data-series=${seriesOf(curve, index)}><path d=${path} />
    ${isLabelled && html`<text class="end" x=${end + 8} y=${labelY + 4}>${isolateName(shorten(curve.name))}</text>`}</g>`
}

function curvePoint(curve: MarginalCurve, index: number, { x, y }: Drawn, level: number): View {
  if (curve.chosen === undefined) return null
  return html`<g data-series=${seriesOf(curve, index)}><circle cx=${x(curve.chosen)} cy=${y(rateAt(curve, curve.chosen) ?? level)} r="4.5" /></g>`
}

function rateAt({ points }: MarginalCurve, amount: number): number | undefined {
  const after = points.findIndex((point) => point.amount >= amount)
  const [a, b] = [points[Math.max(0, after - 1)], points[after]]
  if (!a || !b) return points.at(-1)?.rate
  if (b.amount === a.amount) return b.rate
  return a.rate + ((amount - a.amount) / (b.amount - a.amount)) * (b.rate - a.rate)
}

let pen: CanvasRenderingContext2D | null | undefined
/** How wide a label is on the screen. */
function widthOf(label: string): number {
  pen ??= document.createElement('canvas').getContext('2d')
  if (!pen) return 0
  pen.font = `500 12px ${tokenText('--sans')}`
  return pen.measureText(label).width
}

/** Shortens a name to the space beside the plot. */
function shorten(name: string): string {
  if (widthOf(name) <= LABEL_ROOM) return name
  const letters = [...name]
  while (letters.length > 1 && widthOf(`${letters.join('')}…`) > LABEL_ROOM) letters.pop()
  return `${letters.join('').trim()}…`
}

/** Moves labels apart until none covers another, and keeps them off the axis. */
function spread(
  places: readonly number[],
  gap: number,
  [top, bottom]: readonly [number, number],
): readonly number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  for (let round = 0; round < 20; round++) {
    for (let at = 1; at < order.length; at++) {
      const [upper, lower] = [order[at - 1], order[at]]
      if (!upper || !lower || lower.place - upper.place >= gap) continue
      const missing = (gap - (lower.place - upper.place)) / 2
      upper.place -= missing
      lower.place += missing
    }
  }
  const result = [...places]
  for (const [at, { place, index }] of order.entries())
    result[index] = Math.max(top + at * gap, Math.min(place, bottom - (order.length - 1 - at) * gap))
  return result
}
