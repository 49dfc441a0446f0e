import { useScoring, useValidators } from '../../data/queries.ts'
import { scoreBar } from '../../plots/score-bar.ts'
import { formatCommission, formatDecimal, formatPercent } from '../format.ts'
import { html, type View } from '../html.ts'
import { errorOrSkeleton, skeleton } from '../state.ts'
import { noBars, shownWeights } from '../validator/score-weights.ts'
import { validatorLink } from '../validator-link.ts'

const SHOWN_VALIDATORS = 6

/** The validators with the highest scores, and a link to all of them. */
export function BestValidators(): View {
  const validators = useValidators()
  const scoring = useScoring()
  if (!validators.data && validators.error !== undefined)
    return html`<div class="section-head section"><h2 id="best">Highest scores</h2></div>${errorOrSkeleton([validators], '66px')}`
  const best = validators.data?.data
    .filter(({ score }) => score !== null)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, SHOWN_VALIDATORS)
  const weights = shownWeights(scoring)
  return html`<div class="section-head section"><h2 id="best">Highest scores</h2><a class="small" href="/validators">All validators</a></div>
    ${weights === undefined && noBars(scoring.error)}<ol class="best">${(
      best ?? Array.from({ length: SHOWN_VALIDATORS }, () => undefined)
    ).map(
      (validator, index) => html`<li class="card">
      ${
        validator
          ? html`<div class="row spread"><span class="best-name"><span class="faint">${index + 1}</span>${validatorLink(validator)}</span><strong>${formatDecimal(validator.score ?? 0, 1)}</strong></div>
            ${scoreBar(validator, weights)}
            <div class="row spread small soft"><span>${validator.apy === null ? 'no history' : `${formatPercent(validator.apy)} Net APY`}</span><span>${formatCommission(validator.commissionRate)} commission</span></div>`
          : skeleton('100%', '66px')
      }</li>`,
    )}</ol>`
}
