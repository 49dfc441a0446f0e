import type { Validator } from '../data/queries.ts'
import { PART_NAMES, scoreParts, type Weights } from '../data/score.ts'
import { formatDecimal } from '../parts/format.ts'
import { html, type View } from '../parts/html.ts'

/** A score as the sum of its weighted components, out of 100; nothing if one of the two is not known. */
export function scoreBar({ components }: Pick<Validator, 'components'>, weights: Weights | undefined): View {
  if (!components || !weights) return null
  const parts = scoreParts(components, weights)
  const title = parts
    .map(({ name, points }) => `${PART_NAMES[name].toLowerCase()} ${formatDecimal(points, 1)}`)
    .join(' + ')
  return html`<span key="score-bar" class="score-bar" title=${title} aria-hidden="true">${parts.map(
    ({ name, points }) => html`<i data-part=${name} style=${{ width: `${points}%` }}></i>`,
  )}</span>`
}
