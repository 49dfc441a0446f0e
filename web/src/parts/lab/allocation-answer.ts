import type { Input, Reply } from '@stakewright/client'
import type { Choice } from '../../data/allocation/choice.ts'
import { sandboxAddress } from '../../data/allocation/split-address.ts'
import type { Network, Validator } from '../../data/queries.ts'
import { marginalCurves } from '../../plots/marginal-curves.ts'
import { splitBars } from '../../plots/split-bars.ts'
import { Amount } from '../amount.ts'
import { rangeSentence, rangeText } from '../apy-range.ts'
import { Figure } from '../figure.ts'
import {
  formatPercent,
  formatPointsBetween,
  formatShare,
  formatTokens,
  formatTokenTick,
  formatUsd,
  plural,
  toTokens,
} from '../format.ts'
import { h, html, type View } from '../html.ts'
import { isolateName, nameText, validatorLink } from '../validator-link.ts'
import { BEFORE, inWords, nameOf } from './in-words.ts'
import { WhyNot } from './why-not.ts'

type Answer = Reply<'allocate'>
type Alternative = NonNullable<Answer['alternatives']>[number]
export type Props = {
  /** Its explanation is in APY. */
  readonly answer: Answer
  readonly epochsPerYear: number
  /** How many of the best-scored validators the key's tier chooses from; `undefined`: all. */
  readonly visible: number | undefined
  readonly isPending: boolean
  /** Whether it belongs to an earlier choice. */
  readonly isOld: boolean
  readonly network: Network
  readonly validators: readonly Validator[]
  readonly choice: Choice
  readonly input: Input<'allocate'>
  readonly price: number | undefined
  readonly exclude: (id: string) => void
}

/** An allocation: the split, why it stops there, and the yields of simpler rules. */
export function AllocationAnswer(props: Props): View {
  const { isPending, isOld } = props
  return html`<div class="answer" data-pending=${isPending && !isOld} data-old=${isOld} aria-busy=${isPending}>
    <div class="lab">
      <section class="card" aria-labelledby="split">${splitCard(props)}</section>
      <section class="card" aria-label="Why this split">${curvesCard(props)}</section>
      <section class="card" aria-labelledby="others">${comparisonCard(props)}</section>
    </div>
    <div class="grid section">
      <section class="span-7" aria-labelledby="proof"><h2 id="proof">Why you can believe it</h2>${inWords(props)}${h(WhyNot, props)}</section>
      <section class="span-5" aria-labelledby="sensitivity"><h2 id="sensitivity">What if</h2>${variationTable(props)}</section>
    </div>
  </div>`
}

const stakedBy = ({ allocations }: Answer): bigint =>
  allocations.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/** What a split earns in a year, in tokens. */
const yearlyOf = ({ rewardsPerYear }: Answer, { decimals }: Network): number =>
  toTokens(BigInt(rewardsPerYear), decimals)

/** The answer in a line, for screens where the slider and the split are not in sight together. */
export const summaryLine = (answer: Answer | undefined, network: Network): View =>
  html`<p class="in-short" aria-hidden="true">${answer && html`<strong>${formatPercent(answer.totalProjectedApy)}</strong> APY: ${formatTokens(toUnits(yearlyOf(answer, network), network), network.decimals)} ${network.symbol} a year`}</p>`

function splitCard({ answer, validators, network, exclude, price }: Props): View {
  const before = new Map(answer.explanation?.chosen.map((one) => [one.validatorId, one]))
  const tokens = stakedBy(answer)
  const yearly = yearlyOf(answer, network)
  return html`<div class="section-head"><h2 id="split">The split</h2><span class="small soft">${formatTokens(tokens, network.decimals)} ${network.symbol} over ${plural(answer.allocations.length, 'validator')}</span></div>
    <p class="figure-number" role="status">${formatPercent(answer.totalProjectedApy)}</p>
    <p class="small soft" style=${{ margin: '2px 0 6px' }}>projected APY, about ${formatTokens(toUnits(yearly, network), network.decimals)} ${network.symbol}${price === undefined ? '' : ` or ${formatUsd(yearly * price)}`} a year</p>
    <div class="range-note">${rangeSentence(answer.range)}</div>
    ${splitBars(
      answer.allocations.map(({ validatorId, amount, weight, projectedApy, range }) => {
        const name = nameOf(validators, validatorId)
        const reason = before.get(validatorId)
        return {
          id: validatorId,
          name: validatorLink({ id: validatorId, name }),
          share: weight,
          amount: html`${h(Amount, { value: amount })}`,
          note: html`${formatShare(weight, 1)} · ${reason ? `${formatPercent(reason.apyBefore)} → ` : ''}${formatPercent(projectedApy)} APY${range && html` <span class="faint nowrap">(${rangeText(range)})</span>`}`,
          action: html`<button type="button" class="link-button" aria-label=${`Leave out ${name}`} onClick=${() => exclude(validatorId)}>leave out</button>`,
        }
      }),
    )}${network.network === 'sandbox' && html`<div class="split-next"><a class="button" href=${sandboxAddress(answer.allocations)}>Try it in the sandbox</a></div>`}`
}

const toUnits = (tokens: number, { decimals }: Network) => BigInt(Math.round(tokens * 10 ** decimals))

function curvesCard({ answer, validators, network, choice }: Props): View {
  const { explanation } = answer
  if (!explanation) return null
  const chosen = new Map(
    answer.allocations.map(({ validatorId, amount }) => [
      validatorId,
      toTokens(BigInt(amount), network.decimals),
    ]),
  )
  const curves = explanation.curves.map(({ validatorId, points }) => ({
    id: validatorId,
    name: nameOf(validators, validatorId),
    chosen: chosen.get(validatorId),
    points: points.map(({ amount, marginalRate }) => ({
      amount: toTokens(BigInt(amount), network.decimals),
      rate: marginalRate,
    })),
  }))
  const short = (tokens: number) => formatTokens(toUnits(tokens, network), network.decimals)
  return h(Figure, {
    title: 'Why it stops there',
    level: 2,
    caption: curvesCaption(answer, validators, choice),
    table: () => ({
      head: ['Validator', 'Amount', 'First token, APY after risk', 'Last token, APY after risk'],
      rows: explanation.curves.map(({ validatorId, points }) => {
        const reason = explanation.chosen.find((one) => one.validatorId === validatorId)
        return [
          nameText(nameOf(validators, validatorId)),
          short(chosen.get(validatorId) ?? 0),
          formatPercent(points[0]?.marginalRate ?? 0),
          reason ? formatPercent(reason.marginalRate) : '–',
        ]
      }),
    }),
    children: marginalCurves(
      curves,
      explanation.marginalRate,
      (tokens) => `${formatTokenTick(tokens)}${tokens === 0 ? ` ${network.symbol}` : ''}`,
    ),
  })
}

function curvesCaption(
  { explanation, allocations }: Answer,
  validators: readonly Validator[],
  { maxValidators }: Choice,
): string {
  if (!explanation) return ''
  const level = formatPercent(explanation.marginalRate)
  const [only] = explanation.chosen
  const whole =
    allocations.length === 1 && only
      ? `Everything goes to ${isolateName(nameOf(validators, only.validatorId))}, which then pays ${formatPercent(only.apyAfter)} APY. Its last token still earns ${level} APY after the price of risk, which grows with each token in the same place.`
      : `The more a pool gets, the less the next token earns there. Each is filled until its next token earns ${level} APY, after the price of risk.`
  if (!explanation.next) return whole
  const { validatorId, entryRate, reason } = explanation.next
  const start = `${isolateName(nameOf(validators, validatorId))} would start at ${formatPercent(entryRate)} APY`
  return reason === 'max_validators'
    ? `${whole} ${start}, but you asked for at most ${plural(maxValidators, 'validator')}.`
    : `${whole} ${start}.`
}

/** Variations of the choice are named by the changed field; the other alternatives are plain rules. */
const isVariation = ({ name }: Alternative) => /maxValidators|riskAversion/.test(name)

/** The name of a variation in the words of this page. */
function variationText(name: string, { riskAversion }: Choice): string {
  const count = /^maxValidators (\d+)$/.exec(name)?.[1]
  if (count !== undefined) return `at most ${plural(Number(count), 'validator')}`
  if (name === 'lower riskAversion') return 'a tenth of the risk aversion'
  // From 0 there is no tenfold, and the scale ends at 1,000.
  if (name === 'higher riskAversion')
    return riskAversion > 0 && riskAversion <= 100 ? 'ten times the risk aversion' : 'a higher risk aversion'
  return name
}

/** Rates come rounded to a millionth of a percent. */
const ROUNDED = 2e-6

function comparisonCard({ answer, network, choice, price, visible }: Props): View {
  const own = answer.totalProjectedApy
  const others = (answer.alternatives ?? []).filter((one) => !isVariation(one))
  const best = Math.max(own, ...others.map(({ projectedApy }) => projectedApy), 1e-9)
  const tokens = toTokens(choice.amount, network.decimals)
  const costOf = ({ projectedApy, validators }: Alternative): string => {
    if (Math.abs(own - projectedApy) < ROUNDED)
      return validators < answer.allocations.length ? 'as much, with more in one place' : 'as much'
    const apart = (Math.abs(own - projectedApy) / 100) * tokens
    const sum = `${formatTokens(toUnits(apart, network), network.decimals)} ${network.symbol}${price === undefined ? '' : ` (${formatUsd(apart * price)})`}`
    return projectedApy < own ? `${sum} less a year` : `${sum} more a year, but not after the price of risk`
  }
  const row = (name: string, apy: number, isOwn: boolean, cost: string) => {
    return html`<li data-own=${isOwn}><div class="row"><span>${name}</span><strong class="number">${formatPercent(apy)}</strong></div>
      <span class="meter"><i style=${{ width: `${(apy / best) * 100}%` }}></i></span><span class="small soft">${cost}</span></li>`
  }
  return html`<h2 id="others">What others would do</h2><p class="small soft" style=${{ margin: '4px 0 18px' }}>Projected APY of simpler rules with the same amount, dilution included.</p>
    <ul class="compare">${row('Optimal split', own, true, 'this split')}${others.map((one) => row(one.name, one.projectedApy, false, costOf(one)))}</ul>
    <p class="small soft compare-note">The highest quoted rate is the highest before your stake: ${BEFORE}.${visible !== undefined && ` All rules choose among the ${visible} best-scored validators, as the split does, which are all that it may choose from; a key of a higher tier sees more. Larger ones with lower scores are not among them.`}</p>`
}

function variationTable({ answer, choice }: Props): View {
  const variations = (answer.alternatives ?? []).filter(isVariation)
  return html`<table class="table-plain variations"><caption class="visually-hidden">The same amount with other choices</caption>
    <thead><tr><th scope="col">With</th><th scope="col" data-align="end">APY</th><th scope="col" data-align="end">Difference</th><th scope="col" data-align="end">Validators</th></tr></thead>
    <tbody>${variations.map(
      ({ name, projectedApy, validators }) =>
        html`<tr><td>${variationText(name, choice)}${name === `maxValidators ${choice.maxValidators}` && html` <span class="soft">(this split)</span>`}</td><td data-align="end">${formatPercent(projectedApy)}</td><td data-align="end">${formatPointsBetween(answer.totalProjectedApy, projectedApy)}</td><td data-align="end">${validators}</td></tr>`,
    )}</tbody></table>`
}
