import { html, type View } from '../parts/html.ts'

const HEIGHT = 24
const STEP = 3
const BAR = 2
/** A day with one request must be visible beside one with thousands. */
const MIN_HEIGHT = 2

/** Bars without axes, one per day: the shape of a month, beside its sum. */
export function daySpark(counts: readonly number[]): View {
  const most = Math.max(...counts, 1)
  return html`<svg class="day-spark" width=${counts.length * STEP} height=${HEIGHT} aria-hidden="true">
    <line x1="0" x2=${counts.length * STEP} y1=${HEIGHT - 0.5} y2=${HEIGHT - 0.5} />
    ${counts.map((count, index) => {
      const height = count === 0 ? 0 : Math.max(MIN_HEIGHT, (count / most) * (HEIGHT - 2))
      return (
        count > 0 && html`<rect x=${index * STEP} y=${HEIGHT - 1 - height} width=${BAR} height=${height} />`
      )
    })}
  </svg>`
}
