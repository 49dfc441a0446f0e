import type { Input, Reply } from '@stakewright/client'
import { simpleRateOf } from '../../data/allocation/rates.ts'
import type { Validator } from '../../data/queries.ts'
import { Amount } from '../amount.ts'
import { formatPercent, formatPoints } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { isolateName, nameText } from '../validator-link.ts'

type Answer = Reply<'allocate'>

/** The name of a validator, or its id if it is no longer listed. */
export function nameOf(validators: readonly Validator[], id: string): string {
  return validators.find((one) => one.id === id)?.name ?? id
}

/** The changes that the rate before the user's stake includes and the present rate does not. */
export const BEFORE =
  'projected for when it counts, with the stake on its way in and out and the commission announced'

/** The style of table heads that are longer than their column. */
const WRAPS = { whiteSpace: 'normal' } as const

const HELD_BY = {
  whole_amount: 'that is the whole amount',
  max_share: 'your largest share is reached',
  min_stake: 'the smallest stake that the network allows is enough there',
  group_share: 'the largest share of a group is reached',
  marginal_rate: 'one more token would earn no more there than with the others chosen',
} as const

const NEXT_REASONS = {
  max_validators: 'one more validator would pay, but you asked for no more',
  amount_too_small: 'the amount is too small to be split further',
  rate_too_low: 'its first token would earn less than the last token of those chosen',
} as const

type Chosen = NonNullable<Answer['explanation']>['chosen']

/** Why none of them gets more: one sentence for each reason, not for each validator. */
function whyNotMore(chosen: Chosen, validators: readonly Validator[]): View {
  const reasons = [...new Set(chosen.map(({ heldBy }) => heldBy))]
  return reasons.map((reason) => {
    const names = chosen
      .filter(({ heldBy }) => heldBy === reason)
      .map(({ validatorId }) => isolateName(nameOf(validators, validatorId)))
    const who = names.length === chosen.length && names.length > 1 ? 'any of them' : names.join(', ')
    return html`<p>No more goes to ${who} because ${HELD_BY[reason]}.</p>`
  })
}

type Props = {
  readonly answer: Answer
  readonly validators: readonly Validator[]
  readonly input: Input<'allocate'>
  readonly epochsPerYear: number
  readonly visible: number | undefined
}

/** What is proven, and among which validators. */
function proofText({ answer, visible }: Props): string {
  const { value, bound, gap } = answer.certificate
  const proven =
    gap < 1e-9
      ? 'Proven optimal: by the stated model no other split that keeps your limits is worth more.'
      : `Close to optimal: by the stated model no other split that keeps your limits is worth more than ${formatPoints(bound - value, 4).replace('+', '')} above this one.`
  return visible === undefined
    ? proven
    : `${proven} It is chosen among the ${visible} best-scored validators, which are all that this page may choose from; a key of a higher tier sees more.`
}

/** The proof is about a simple rate: the step from APY to simple rate is stated apart from the price of risk. */
function worthText({ answer, input, epochsPerYear }: Props): string {
  const { value, bound } = answer.certificate
  const plain = simpleRateOf(answer, epochsPerYear, input.owner !== undefined)
  const worth =
    plain === undefined
      ? `Before compounding, and after the price of risk, this split is worth ${formatPercent(value, 3)} a year.`
      : `Its ${formatPercent(answer.totalProjectedApy)} APY is ${formatPercent(plain.rate, 3)} a year before compounding. The price of risk takes ${formatPoints(plain.priceOfRisk, 3).replace('+', '')} of that and leaves ${formatPercent(value, 3)}.`
  return `${worth} The proof: no split can be worth more than ${formatPercent(bound, 3)}.`
}

/** The certificate in words: why no other split earns more. */
export function inWords(props: Props): View {
  const { answer, validators } = props
  const { explanation } = answer
  return html`<div class="words"><div></div>
    <p>${proofText(props)} <a href="/docs/allocation">The model</a></p>
    <p class="small soft">${worthText(props)}</p>
    ${
      explanation &&
      html`<table class="table-plain"><caption class="visually-hidden">What each pays, before and after your stake</caption>
        <thead><tr><th scope="col">Validator</th><th scope="col" data-align="end" style=${WRAPS}>Before your stake</th><th scope="col" data-align="end" style=${WRAPS}>After your stake</th></tr></thead>
        <tbody>${explanation.chosen.map(({ validatorId, apyBefore, apyAfter }) => html`<tr><td>${nameText(nameOf(validators, validatorId))}</td><td data-align="end">${formatPercent(apyBefore)}</td><td data-align="end">${formatPercent(apyAfter)}</td></tr>`)}</tbody></table>
        <p class="small soft">Before your stake: ${BEFORE}. Validators and their pages show Net APY: what was paid in completed epochs.</p>
        ${whyNotMore(explanation.chosen, validators)}`
    }
    ${explanation?.next && html`<p><strong>Why not ${nameText(nameOf(validators, explanation.next.validatorId))}?</strong> Because ${NEXT_REASONS[explanation.next.reason]}. In place of the weakest one chosen it would cost at least ${formatPoints(explanation.next.costOfChoosing, 4).replace('+', '')} a year, before compounding.</p>`}
    ${BigInt(answer.heldBack) > 0n && html`<p>${h(Amount, { value: answer.heldBack })} stay unstaked, so that they are at hand in time.</p>`}
    ${answer.assumptions.map((text) => html`<p class="small soft">${text}</p>`)}
    <p class="small soft">Computed from epoch ${answer.epoch}. Not a promise of yield.</p></div>`
}
