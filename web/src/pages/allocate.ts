import type { Input, Reply } from '@stakewright/client'
import { useEffect } from 'preact/hooks'
import { dropRefusedKey } from '../data/account/play-key.ts'
import { session } from '../data/account/session.ts'
import { unreadText } from '../data/address/read-parts.ts'
import {
  type Choice,
  choiceQuery,
  SLIDER,
  sliderAmount,
  sliderPlace,
  toInput,
} from '../data/allocation/choice.ts'
import { explainedInApy } from '../data/allocation/rates.ts'
import { infeasibilityOf, isAskable, readChoice, unknownExcluded } from '../data/allocation/read-choice.ts'
import { createAnswerCache } from '../data/asking/answers.ts'
import { type LiveAnswer, useAsk } from '../data/asking/ask.ts'
import { snippetsFor } from '../data/docs/snippets.ts'
import {
  type Network,
  useEpoch,
  useNetwork,
  usePrice,
  useValidators,
  type Validator,
} from '../data/queries.ts'
import { setQuery, usePlace } from '../data/router.ts'
import { useStore } from '../data/store.ts'
import { unreadParts } from '../parts/address/unread-parts.ts'
import { CodeTabs } from '../parts/code.ts'
import { formatCount, formatExactTokens, formatPercent, formatUsd, toTokens } from '../parts/format.ts'
import { AmountField } from '../parts/forms/amount-field.ts'
import { Answerable } from '../parts/forms/answerable.ts'
import { Field, inputValue } from '../parts/forms/field.ts'
import { KeyGate, keyNote } from '../parts/forms/key-gate.ts'
import { h, html, type View } from '../parts/html.ts'
import { AllocationAnswer, type Props as AnswerProps, summaryLine } from '../parts/lab/allocation-answer.ts'
import { MoreLimits } from '../parts/lab/more-limits.ts'
import { infeasibleNotice, NoAnswer, oldNote } from '../parts/lab/no-answer.ts'
import { empty, errorOrSkeleton, skeleton } from '../parts/state.ts'
import { nameText } from '../parts/validator-link.ts'

/** The optimal split of an amount, and why it is optimal. */
export default function Allocate(): View {
  const answers = [useNetwork(), useEpoch()] as const
  const network = answers[0].data
  const epochsPerYear = answers[1].data?.epochsPerYear
  return html`<div class="page">
    <div class="page-head"><div><h1>Allocate</h1>
      <p class="lede">The optimal split of an amount, your own dilution included, with a proof that by the stated model no other split is worth more, after the price of risk.</p></div></div>
    ${network && epochsPerYear !== undefined ? h(KeyGate, { height: '640px', children: () => h(Lab, { network, epochsPerYear }) }) : errorOrSkeleton(answers, '640px')}
  </div>`
}

function Lab({
  network,
  epochsPerYear,
}: {
  readonly network: Network
  readonly epochsPerYear: number
}): View {
  const { query } = usePlace()
  const { apiKey } = useStore(session)
  const { data: known, error: unknown } = useValidators()
  const validators = known?.data ?? []
  const price = usePrice().data?.priceUsd
  const { choice, unread, unreadAmount } = readChoice(query, network)
  const unknownIds = unknownExcluded(choice, validators)
  const unreadTexts = [...unread, ...unknownIds.map(unknownIdText)]
  const input = toInput(choice, validators)
  const isRead =
    unreadTexts.length === 0 && unreadAmount === undefined && isAskable(choice, network, validators)
  // The key has the hash of the data, because an answer holds only for the data it was computed from.
  const isKnown = known !== undefined || unknown !== undefined
  const asked = useAsk(
    isRead && isKnown && infeasibilityOf(choice) === undefined
      ? JSON.stringify([input, network.epoch, known?.hash])
      : undefined,
    async (client) => ({ choice, input, answer: await client.allocate(input) }),
    // Not cached with an owner: the owner's stake may change while the hash stays the same.
    { delayMs: ADJUSTED_MS, ...(choice.owner === '' && { cache: SPLITS }) },
  )
  const usage = useAsk(apiKey && `usage ${apiKey}`, (client) => client.usage()).answer
  const visible = usage?.features.visibleValidators ?? undefined
  useEffect(() => dropRefusedKey(asked.error), [asked.error])
  const change = (part: Partial<Choice>) => setQuery(choiceQuery(part, network))
  const dropUnread = () => {
    const { amount: _, ...others } = choice
    change({ ...others, exclude: choice.exclude.filter((id) => !unknownIds.includes(id)) })
  }
  const leaveOut = (exclude: readonly string[]) => setQuery(choiceQuery({ exclude }, network), 'step')
  const exclude = (id: string) => leaveOut([...choice.exclude, id])
  return h(Answerable, {
    hasUnread: unreadTexts.length > 0,
    children: (isAnswerable) => html`
    ${unreadParts(unreadTexts, html`<button type="button" class="link-button" onClick=${dropUnread}>Continue without it</button>`)}
    ${controls(choice, change, network, price, { unreadAmount, answer: isAnswerable && !asked.isOld ? asked.answer?.answer : undefined })}
    ${h(MoreLimits, { choice, network, validators, change })}
    ${exclusions(choice, leaveOut, validators)}
    ${isAnswerable ? h(Answered, { asked, current: choice, change, epochsPerYear, visible, network, validators, input, price, exclude }) : html`<div class="card" role="status">${empty('The split appears here once everything above can be read.')}</div>`}`,
  })
}

const unknownIdText = (id: string): string =>
  unreadText('exclude', id, 'no validator has this id, so it leaves out nobody')

/** An answer with its input, so that both stay consistent while the next answer is in flight. */
type Split = {
  readonly choice: Choice
  readonly input: Input<'allocate'>
  readonly answer: Reply<'allocate'>
}

const SPLITS = createAnswerCache<Split>()
/** Debounce: a dragged slider must rest this long before a request is sent. */
const ADJUSTED_MS = 250

type AnsweredProps = Omit<AnswerProps, 'answer' | 'isPending' | 'isOld' | 'choice'> & {
  readonly asked: LiveAnswer<Split>
  readonly current: Choice
  readonly change: (part: Partial<Choice>) => void
}

/** The split, and the call that asks for it. */
function Answered({ asked, current, change, ...props }: AnsweredProps): View {
  const { apiKey } = useStore(session)
  const { input, epochsPerYear } = props
  const { answer: split, isPending, isOld } = asked
  const infeasible = infeasibilityOf(current)
  return html`
    ${infeasible ? infeasibleNotice(infeasible, change) : asked.error !== undefined && h(NoAnswer, asked)}
    ${split && isOld && oldNote(split.choice, props.network)}
    ${split ? h(AllocationAnswer, { ...props, ...split, answer: explainedInApy(split.answer, epochsPerYear), isPending, isOld }) : !asked.error && !infeasible && skeleton('100%', '420px')}
    <section class="section" aria-labelledby="call"><h2 id="call">The same call</h2><p class="lede">What an agent sends to get this answer.</p>
      <div style=${{ height: '12px' }}></div>${h(CodeTabs, { label: 'Language', tabs: snippetsFor({ endpoint: 'allocate', input }, location.origin) })}
      <div style=${{ height: '12px' }}></div>${apiKey !== undefined && keyNote(apiKey)}</section>`
}

function controls(
  choice: Choice,
  change: (part: Partial<Choice>) => void,
  network: Network,
  price: number | undefined,
  {
    unreadAmount,
    answer,
  }: { readonly unreadAmount: string | undefined; readonly answer: Split['answer'] | undefined },
): View {
  const unread =
    unreadAmount === undefined
      ? undefined
      : `“${unreadAmount}” in the address is no amount that can be staked: addresses have it in smallest units, ${choice.amount} for ${formatExactTokens(choice.amount, network.decimals)} ${network.symbol}. Write an amount here.`
  const usd = price === undefined ? '' : ` ≈ ${formatUsd(toTokens(choice.amount, network.decimals) * price)}`
  return html`<form class="card controls" onSubmit=${(event: Event) => event.preventDefault()} aria-label="What to allocate">
    <div class="stack">
      ${h(AmountField, { label: 'Amount', hint: `${formatExactTokens(choice.amount, network.decimals)} ${network.symbol}${usd}`, amount: choice.amount, unread, least: BigInt(network.minStakeAmount), network, onChange: (amount: bigint) => change({ amount }) })}
      <input class="range" type="range" aria-label=${`Amount, from ${formatCount(10 ** SLIDER.from)} to ${formatCount(10 ** SLIDER.to)} ${network.symbol}`} min="0" max=${SLIDER.steps} value=${String(sliderPlace(choice.amount, network))}
        aria-valuetext=${`${formatExactTokens(choice.amount, network.decimals)} ${network.symbol}`} onInput=${(event: Event) => change({ amount: sliderAmount(Number(inputValue(event)), network) })} />
      ${summaryLine(answer, network)}
    </div>
    ${h(Field, { label: html`At most <output>${choice.maxValidators} validators</output>`, hint: 'More spreads thinner; beyond a point it gains nothing.', children: (props) => html`<input ...${props} class="range" type="range" min="1" max="20" value=${String(choice.maxValidators)} onInput=${(event: Event) => change({ maxValidators: Number(inputValue(event)) })} />` })}
    ${h(Field, { label: html`Risk aversion <output>${formatCount(choice.riskAversion)}</output>`, hint: `0 looks at yield alone; more spreads further, to steadier validators. Even ${formatCount(1000)} still weighs yield: parts stay unequal.`, children: (props) => html`<input ...${props} class="range" type="range" min="0" max="3" step="1" value=${String(RISKS.indexOf(nearestRisk(choice.riskAversion)))} aria-valuetext=${String(choice.riskAversion)} onInput=${(event: Event) => change({ riskAversion: RISKS[Number(inputValue(event))] ?? 10 })} />` })}
    ${h(Field, { label: html`Largest share <output>${formatPercent(choice.maxShare * 100, 0)}</output>`, hint: 'No validator gets more than this part of the amount.', children: (props) => html`<input ...${props} class="range" type="range" min="5" max="100" step="5" value=${String(Math.round(choice.maxShare * 100))} onInput=${(event: Event) => change({ maxShare: Number(inputValue(event)) / 100 })} />` })}
  </form>`
}

const RISKS = [0, 10, 100, 1000] as const
const nearestRisk = (value: number): (typeof RISKS)[number] => RISKS.findLast((risk) => value >= risk) ?? 0

function exclusions(
  choice: Choice,
  leaveOut: (exclude: readonly string[]) => void,
  validators: readonly Validator[],
): View {
  if (choice.exclude.length === 0) return null
  const nameOf = new Map(validators.map(({ id, name }) => [id, name]))
  return html`<div class="row" style=${{ marginBottom: '16px' }}><span class="small soft">Left out:</span><ul class="chips">${choice.exclude.map(
    (id) =>
      html`<li class="chip">${nameText(nameOf.get(id) ?? id)}<button type="button" aria-label=${`Allow ${nameOf.get(id) ?? id} again`} onClick=${() => leaveOut(choice.exclude.filter((one) => one !== id))}>×</button></li>`,
  )}</ul></div>`
}
