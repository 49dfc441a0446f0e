import { formatPercent } from '../parts/format.ts'
import { html, type View } from '../parts/html.ts'
import { linearScale, linePath, ticks } from './scale.ts'

export type MarginalCurve = {
  readonly id: string
  readonly name: string
  readonly points: readonly { readonly amount: number; readonly rate: number }[]
  /** The amount chosen; `undefined` for the validator that was not. */
  readonly chosen: number | undefined
}

const WIDTH = 560
const HEIGHT = 340
const PLOT = { left: 48, right: 108, top: 14, bottom: 34 }
/** More lines than these cannot be told apart; the others are drawn grey. */
const COLOURS = 6

/** What one more token earns, by amount, for every chosen validator; filled down to a common level. */
export function marginalCurves(
  curves: readonly MarginalCurve[],
  level: number,
  formatAmount: (tokens: number) => string,
): View {
  const all = curves.flatMap(({ points }) => points)
  const most = Math.max(...all.map(({ amount }) => amount), 1e-9)
  const rates = [...all.map(({ rate }) => rate), level]
  const low = Math.min(...rates)
  const high = Math.max(...rates)
  const pad = Math.max((high - low) * 0.08, Math.abs(high) * 0.005)
  const x = linearScale([0, most], [PLOT.left, WIDTH - PLOT.right])
  const y = linearScale([low - pad, high + pad], [HEIGHT - PLOT.bottom, PLOT.top])
  const labels = spread(
    curves.map(({ points }) => y(points.at(-1)?.rate ?? level)),
    14,
  )
  return html`<svg class="curves" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
    ${ticks(low - pad, high + pad, 5).map((rate) => html`<g><line class="axis-line" x1=${PLOT.left} x2=${WIDTH - PLOT.right} y1=${y(rate)} y2=${y(rate)} /><text x=${PLOT.left - 8} y=${y(rate) + 4} text-anchor="end">${formatPercent(rate, 1)}</text></g>`)}
    ${ticks(0, most, 4).map((amount) => html`<text x=${x(amount)} y=${HEIGHT - 12} text-anchor="middle">${formatAmount(amount)}</text>`)}
    <line class="level" x1=${PLOT.left} x2=${WIDTH - PLOT.right} y1=${y(level)} y2=${y(level)} />
    <text class="level-text" x=${PLOT.left + 6} y=${y(level) + 15}>common level ${formatPercent(level)}</text>
    ${curves.map((curve, index) => curvePath(curve, index, x, y, labels[index] ?? 0))}
    ${curves.map((curve, index) => curvePoint(curve, index, x, y, level))}
  </svg>`
}

const seriesOf = ({ chosen }: MarginalCurve, index: number) =>
  chosen === undefined ? 'next' : index < COLOURS ? String(index + 1) : 'rest'

function curvePath(
  curve: MarginalCurve,
  index: number,
  x: (value: number) => number,
  y: (value: number) => number,
  labelY: number,
): View {
  const path = linePath(curve.points.map(({ amount, rate }) => [x(amount), y(rate)] as const))
  const isLabelled = curve.chosen === undefined || index < COLOURS
  return html`<g data-series=${seriesOf(curve, index)}><path d=${path} />
    ${isLabelled && html`<text class="end" x=${WIDTH - PLOT.right + 8} y=${labelY + 4}>${shorten(curve.name)}</text>`}</g>`
}

function curvePoint(
  curve: MarginalCurve,
  index: number,
  x: (value: number) => number,
  y: (value: number) => number,
  level: number,
): View {
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

const shorten = (name: string) => ([...name].length > 14 ? `${[...name].slice(0, 13).join('')}…` : name)

/** Labels at their lines, moved apart until none covers another. */
function spread(places: readonly number[], gap: number): readonly number[] {
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
  for (const { place, index } of order) result[index] = place
  return result
}
