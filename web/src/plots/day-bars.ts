import { formatCount, formatDate } from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { Measured } from './measured.ts'
import { linearScale, ticks } from './scale.ts'

export type Day = {
  readonly at: number
  readonly parts: readonly { readonly name: string; readonly count: number }[]
}

const HEIGHT = 200
const PLOT = { left: 44, right: 8, top: 12, bottom: 28 }

/** One bar per day, stacked by name in the order given; `names` decides the colours. */
export const dayBars = (days: readonly Day[], names: readonly string[]): View =>
  h(Measured, { height: HEIGHT, draw: (width: number) => drawDays(days, names, width) })

function drawDays(days: readonly Day[], names: readonly string[], width: number): View {
  const totals = days.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0))
  const most = Math.max(...totals, 4)
  const y = linearScale([0, most], [HEIGHT - PLOT.bottom, PLOT.top])
  const step = (width - PLOT.left - PLOT.right) / days.length
  return html`<svg class="day-bars" width=${width} height=${HEIGHT} aria-hidden="true">
    ${ticks(0, most, 4)
      .filter(Number.isInteger)
      .map(
        (value) =>
          html`<g><line class="axis-line" x1=${PLOT.left} x2=${width - PLOT.right} y1=${y(value)} y2=${y(value)} /><text x=${PLOT.left - 8} y=${y(value) + 4} text-anchor="end">${formatCount(value)}</text></g>`,
      )}
    ${days.map((day, index) => {
      let below = 0
      return html`<g>${day.parts.map(({ name, count }) => {
        const [top, bottom] = [y(below + count), y(below)]
        below += count
        const series = names.indexOf(name)
        return (
          count > 0 &&
          html`<rect data-series=${series >= 0 && series < 6 ? series + 1 : 'rest'} x=${PLOT.left + index * step + 1.5} width=${Math.max(1, step - 3)} y=${top} height=${Math.max(0.5, bottom - top)} />`
        )
      })}${(days.length - 1 - index) % (width < 480 ? 14 : 7) === 3 && html`<text x=${PLOT.left + (index + 0.5) * step} y=${HEIGHT - 8} text-anchor="middle">${formatDate(day.at)}</text>`}</g>`
    })}
  </svg>`
}
