import { type Input, type Reply, StakewrightError } from '@stakewright/client'
import { useState } from 'preact/hooks'
import { askForOne, rankOf } from '../../data/allocation/why-not.ts'
import { useAsk } from '../../data/asking/ask.ts'
import { describeError } from '../../data/errors/describe-error.ts'
import { type Scoring, useScoring, type Validator } from '../../data/queries.ts'
import { ineligibleText } from '../../data/words/api-words.ts'
import { formatPercent, formatPointsBetween } from '../format.ts'
import { Field, inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'
import { nameText } from '../validator-link.ts'

type Props = {
  readonly answer: Reply<'allocate'>
  readonly input: Input<'allocate'>
  readonly validators: readonly Validator[]
  readonly visible: number | undefined
}

/** Why a validator was not chosen: because of a rule, or because it would earn less. */
export function WhyNot({ answer, input, validators, visible }: Props): View {
  const [id, setId] = useState('')
  const chosen = new Set(answer.allocations.map(({ validatorId }) => validatorId))
  const others = validators
    .filter((one) => !chosen.has(one.id))
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  const validator = others.find((one) => one.id === id)
  return html`<div class="why-not">${h(Field, {
    label: 'Why not …',
    children: (field) =>
      html`<select ...${field} class="select" value=${id} onChange=${(event: Event) => setId(inputValue(event))}><option value="">choose a validator</option>${others.map((one) => html`<option value=${one.id}>${one.name}</option>`)}</select>`,
  })}<div role="status">${validator && h(Reason, { answer, input, validators, visible, validator })}</div></div>`
}

function Reason(props: Props & { readonly validator: Validator }): View {
  const { answer, input, validators, validator, visible = Number.POSITIVE_INFINITY } = props
  const rank = rankOf(validator, validators)
  const rule =
    ruleAgainst(validator, input, useScoring().data ?? { gates: [] }) ??
    (rank > visible
      ? `is number ${rank} by score, not among the ${visible} best-scored validators that may be chosen from here: a key of a higher tier sees more`
      : undefined)
  const alone = rule === undefined ? askForOne(validator, validators, input) : undefined
  const asked = useAsk(alone && JSON.stringify([alone, answer.epoch]), (client) =>
    client.allocate(alone ?? input),
  )
  const name = nameText(validator.name)
  if (rule !== undefined) return html`<p>${name} ${rule}.</p>`
  if (alone === undefined)
    return html`<p>${name} is number ${rank} by score: too many come before it to ask what it would earn alone. Before any of your stake, ${paysNow(validator)}.</p>`
  if (asked.error !== undefined)
    return html`<p>${isUnseen(asked.error) ? html`${name} is not among the best-scored validators that may be chosen from here; a key of a higher tier sees more.` : describeError(asked.error)}</p>`
  if (!asked.answer || asked.isPending) return html`<p class="soft">Asking …</p>`
  const apy = asked.answer.totalProjectedApy
  const level = answer.explanation?.marginalRate
  const next =
    level === undefined
      ? ''
      : ` The last token of this split still earns ${formatPercent(level)} APY after the price of risk.`
  return html`<p>Everything with ${name} would earn ${formatPercent(apy)} APY, ${formatPointsBetween(answer.totalProjectedApy, apy)} against this split; ${paysNow(validator)}.${next}</p>`
}

const paysNow = ({ apy }: Validator): string =>
  apy === null ? 'it has no Net APY yet' : `its Net APY, of completed epochs, is ${formatPercent(apy)}`

/** The service refuses because no validator is left: the key's tier does not see the only one not excluded. */
const isUnseen = (error: unknown): boolean =>
  error instanceof StakewrightError && error.details.some(({ field }) => field === 'exclude')

/** The rule that excludes the validator regardless of its yield. */
function ruleAgainst(
  { id, ineligible, score, commissionRate, nextCommissionRate }: Validator,
  { exclude = [], minScore = 0, maxCommission = 1 }: Input<'allocate'>,
  scoring: Pick<Scoring, 'gates'>,
): string | undefined {
  if (exclude.includes(id)) return 'was left out by you'
  if (ineligible.length > 0)
    return `may not be chosen. ${ineligibleText(ineligible, scoring)}`.replace(/\.$/, '')
  if ((score ?? 0) < minScore) return 'is below the lowest score that you allow'
  if (Math.max(commissionRate, nextCommissionRate) > maxCommission)
    return 'takes, or has announced, more commission than you allow'
  return undefined
}
