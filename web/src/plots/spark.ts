import { html, type View } from '../parts/html.ts'
import { linearScale, linePath } from './scale.ts'

const WIDTH = 88
const HEIGHT = 24

/** A line without axes, from 0 to `highest`: the shape of a history, beside the number it belongs to. */
export function spark(values: readonly (number | null)[], highest: number): View {
  const known = values.filter((value) => value !== null)
  if (known.length < 2)
    return html`<svg class="spark" width=${WIDTH} height=${HEIGHT} aria-hidden="true"></svg>`
  const x = linearScale([0, values.length - 1], [1, WIDTH - 4])
  const y = linearScale([0, Math.max(highest, 1e-9)], [HEIGHT - 3, 3])
  const points = values.map((value, index) => (value === null ? null : ([x(index), y(value)] as const)))
  const last = points.findLast((point) => point !== null)
  return html`<svg class="spark" width=${WIDTH} height=${HEIGHT} viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
    <path d=${linePath(points)} /><circle cx=${last?.[0]} cy=${last?.[1]} r="2" />
  </svg>`
}
