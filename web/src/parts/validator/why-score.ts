import type { Scoring, Validator } from '../../data/queries.ts'
import { PART_NAMES, scoreParts, toWeights } from '../../data/score.ts'
import { ineligibleText } from '../../data/words/api-words.ts'
import { formatDecimal } from '../format.ts'
import { html, type View } from '../html.ts'
import { isolateName } from '../validator-link.ts'
import { hasLeft } from './figures.ts'
import { partReasons } from './part-reasons.ts'

/** The score as a sum of its components. */
export function whyThisScore(validator: Validator, scoring: Scoring): View {
  const { components, ineligible, score, name } = validator
  const title = html`<div class="section-head"><h2 id="why">Why this score</h2><a class="small" href="/score">Try other weights</a></div>`
  if (!components || score === null)
    return html`${title}<p class="soft">It has no completed epoch yet, so there is nothing to score.</p>`
  const parts = scoreParts(components, toWeights(scoring.weights))
  const reasons = partReasons(scoring)
  const sum = parts.reduce((total, { points }) => total + points, 0)
  const best = parts.toSorted((a, b) => lost(a) - lost(b))
  const caption =
    ineligible.length > 0
      ? `${isolateName(name)} may not be chosen, so its score is 0. ${ineligibleText(ineligible, scoring)}`
      : `${isolateName(name)} scores ${formatDecimal(score, 1)}: it loses least by ${PART_NAMES[best[0]?.name ?? 'apy'].toLowerCase()} and most by ${PART_NAMES[best.at(-1)?.name ?? 'apy'].toLowerCase()}.`
  return html`${title}
    <span class="score-bar" data-size="large" aria-hidden="true">${parts.map(({ name: part, points }) => html`<i data-part=${part} style=${{ width: `${points}%` }}></i>`)}</span>
    <div class="sum" role="group" aria-label="Sum of the score">
      ${parts.map(({ name: part, value, weight, points }) => html`<div><span class="key" data-part=${part}>${PART_NAMES[part]}</span><span class="soft number">${formatDecimal(value, 3)}</span><span class="soft number">× ${formatDecimal(weight * 100, 0)} =</span><span class="number">${formatDecimal(points, 1)}</span><span class="why">${reasons[part]}${part === 'uptime' && hasLeft(validator) && ' It has left the committee: epochs without it count as missed.'}${part === 'apy' && hasLeft(validator) && ' It pays nothing now; this counts epochs in which it did.'}</span></div>`)}
      <div><span>May be chosen</span><span></span><span class="soft number">× ${formatDecimal(components.gate, 2)}</span><span class="soft">${components.gate === 1 ? 'yes' : components.gate === 0 ? 'no' : 'short history'}</span></div>
      <div class="total"><span>Score</span><span></span><span></span><span class="number">${formatDecimal(sum, 1)}</span></div>
    </div><p class="small soft">${caption}</p>`
}

const lost = ({ value, weight }: { readonly value: number; readonly weight: number }) => weight * (1 - value)
