import { formatCount, formatUtcDate } from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { Measured } from './measured.ts'
import { linearScale, ticks } from './scale.ts'

export type Day = {
  readonly at: number
  readonly parts: readonly { readonly name: string; readonly count: number }[]
}

const HEIGHT = 200
const PLOT = { left: 44, right: 8, top: 12, bottom: 28 }

type Shown = {
  readonly days: readonly Day[]
  /** Colour numbers of names, from 0; all other names share one colour. */
  readonly colours: ReadonlyMap<string, number>
  /** The limit per day; drawn as a line if the bars come near it. */
  readonly limit: number | undefined
}

/** One bar per day, stacked by name, and the limit of a day as a line. */
export const dayBars = (shown: Shown): View =>
  h(Measured, { height: HEIGHT, draw: (width: number) => drawDays(shown, width) })

/** If all bars are below this part of the limit, its line is left out: beside it they would be too low to read. */
const NEAR = 0.2

function drawDays({ days, colours, limit }: Shown, width: number): View {
  const totals = days.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0))
  const highest = Math.max(...totals, 4)
  const line = limit !== undefined && highest >= limit * NEAR ? limit : undefined
  const most = Math.max(highest, line ?? 0)
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
        const colour = colours.get(name)
        return (
          count > 0 &&
          html`<rect data-series=${colour === undefined ? 'rest' : colour + 1} x=${PLOT.left + index * step + 1.5} width=${Math.max(1, step - 3)} y=${top} height=${Math.max(0.5, bottom - top)} />`
        )
      })}${(days.length - 1 - index) % (width < 480 ? 14 : 7) === 3 && html`<text x=${PLOT.left + (index + 0.5) * step} y=${HEIGHT - 8} text-anchor="middle">${formatUtcDate(day.at)}</text>`}</g>`
    })}
    ${line !== undefined && html`<g class="limit-line"><line x1=${PLOT.left} x2=${width - PLOT.right} y1=${y(line)} y2=${y(line)} /><text x=${width - PLOT.right} y=${y(line) + 14} text-anchor="end">limit of a day ${formatCount(line)}</text></g>`}
  </svg>`
}
