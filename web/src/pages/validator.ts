import { usePageTitle } from '../data/page-title.ts'
import {
  type Network,
  type Scoring,
  useNetwork,
  useScoring,
  useValidators,
  type Validator,
} from '../data/queries.ts'
import { validatorBadge } from '../parts/badge.ts'
import { h, html, type View } from '../parts/html.ts'
import { Id } from '../parts/id.ts'
import { empty, errorOrSkeleton, skeleton, whenLoaded } from '../parts/state.ts'
import { ChainFacts } from '../parts/validator/chain-facts.ts'
import { hasLeft, validatorFigures } from '../parts/validator/figures.ts'
import { Histories } from '../parts/validator/histories.ts'
import { Place } from '../parts/validator/place.ts'
import { whyThisScore } from '../parts/validator/why-score.ts'
import { nameText } from '../parts/validator-link.ts'

/**
 * One validator: why this score, how it came here, where it stands. The parts of its upper half are shown together,
 * because space cannot be reserved for a part whose height depends on its content.
 */
export default function ValidatorPage({
  params,
}: {
  readonly params: Readonly<Record<string, string>>
}): View {
  const id = params['id'] ?? ''
  const [validators, network, scoring] = [useValidators(), useNetwork(), useScoring()]
  const placeholder = html`<div class="page-head">${skeleton('14em', '2em')}</div>${skeleton('100%', '96px')}`
  const answers = [validators, network, scoring]
  if (answers.some(({ data, error }) => data === undefined && error !== undefined))
    return html`<div class="page"><div class="page-head"><h1>Validator</h1></div>${errorOrSkeleton(answers, '96px')}</div>`
  return html`<div class="page">${whenLoaded(
    validators,
    ({ data: all }) => {
      const validator = all.find((one) => one.id === id)
      if (!validator)
        return html`<div class="page-head"><h1>Validator</h1></div>${empty('There is no validator with this id on this network.', html`<a class="button" href="/validators">All validators</a>`)}`
      return whenLoaded(
        network,
        (ofNetwork) =>
          whenLoaded(
            scoring,
            (ofScoring) => h(Details, { validator, all, network: ofNetwork, scoring: ofScoring }),
            placeholder,
          ),
        placeholder,
      )
    },
    placeholder,
  )}</div>`
}

type Props = {
  readonly validator: Validator
  readonly all: readonly Validator[]
  readonly network: Network
  readonly scoring: Scoring
}

function Details({ validator, all, network, scoring }: Props): View {
  usePageTitle(validator.name)
  return html`
    <div class="page-head"><div>
      <a class="crumb" href="/validators">Validators</a>
      <h1>${nameText(validator.name)}</h1>
      <p class="row small">${validatorBadge(validator.status)} ${h(Id, { id: validator.id, what: 'validator id' })}</p>
    </div><div class="actions">${!hasLeft(validator) && html`<a class="button" data-kind="primary" href="/allocate">Try an amount</a>`}</div></div>
    ${validatorFigures(validator, all, network)}
    <div class="grid section">
      <section class="card span-7" aria-labelledby="why">${whyThisScore(validator, scoring)}</section>
      <section class="card span-5" aria-labelledby="place">${h(Place, { validator, all, network })}</section>
    </div>
    ${h(Histories, { validator, network })}
    ${h(ChainFacts, { id: validator.id })}`
}
