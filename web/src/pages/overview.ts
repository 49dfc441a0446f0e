import { type Change, changesAhead, headroomOf } from '../data/changes.ts'
import { useNow } from '../data/clock.ts'
import { memoize } from '../data/memo.ts'
import {
  type Network,
  useEpoch,
  useHealth,
  useNetwork,
  useNetworkHistory,
  usePrice,
  useScoring,
  useValidators,
  type Validator,
} from '../data/queries.ts'
import { toWeights } from '../data/score.ts'
import { Amount } from '../parts/amount.ts'
import { badge } from '../parts/badge.ts'
import { Figure } from '../parts/figure.ts'
import {
  formatCount,
  formatDecimal,
  formatPercent,
  formatPoints,
  formatShare,
  formatSigned,
  formatSpan,
  formatTokens,
  formatUsd,
  plural,
  toTokens,
} from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { icon } from '../parts/icon.ts'
import { stats } from '../parts/stat.ts'
import { skeleton, whenLoaded } from '../parts/state.ts'
import { Ago } from '../parts/time.ts'
import { validatorLink } from '../parts/validator-link.ts'
import { epochDial } from '../plots/epoch-dial.ts'
import { LinePlot } from '../plots/line-plot.ts'
import { scoreBar } from '../plots/score-bar.ts'

const SHOWN_CHANGES = 7
const SHOWN_VALIDATORS = 6

/** What is going on in this network? */
export default function Overview(): View {
  return html`<div class="page">
    ${h(Head, {})}
    <div class="grid">
      <section class="card span-8" aria-label="Yield">${h(Yield, {})}</section>
      <section class="card span-4" aria-label="Epoch">${h(EpochCard, {})}</section>
      <section class="span-12" aria-label="Figures">${h(Figures, {})}</section>
      <section class="card span-8" aria-labelledby="next">${h(ChangesCard, {})}</section>
      <section class="span-4" aria-label="Ways on">${waysOn}</section>
      <section class="span-12" aria-labelledby="best">${h(BestValidators, {})}</section>
    </div>
  </div>`
}

function Head(): View {
  const { data } = useHealth()
  const name = data ? `${data.network.charAt(0).toUpperCase()}${data.network.slice(1)}` : undefined
  return html`<div class="page-head"><div>
    <h1>${name ? `${name} network` : skeleton('9em', '1.25em')}</h1>
    <p class="lede">Yield, stake and what changes next, from the chain’s own records. Every figure here is also in the API.</p>
  </div></div>`
}

function Yield(): View {
  const history = useNetworkHistory()
  return whenLoaded(
    history,
    ({ data }) => {
      const newest = data.at(-1)
      const oldest = data[0]
      if (!newest || !oldest)
        return html`<h2>Network APY</h2><p class="soft">The first completed epoch brings the first figure.</p>`
      const change = newest.apy - oldest.apy
      const direction = Math.abs(change) < 0.005 ? 'the same as' : change > 0 ? 'more than' : 'less than'
      const caption = `Stakers earned ${formatPercent(newest.apy)} a year in epoch ${newest.epoch}, after commission: ${
        direction === 'the same as'
          ? direction
          : `${formatPoints(Math.abs(change)).replace('+', '')} ${direction}`
      } ${plural(newest.epoch - oldest.epoch, 'epoch')} before.`
      return html`<div class="row spread headline"><h2>Network APY</h2><span class="soft small">weighted by stake, net of commission</span></div>
        <p class="figure-number">${formatPercent(newest.apy)}</p>
        ${h(Figure, {
          caption,
          table: () => ({
            head: ['Epoch', 'APY', 'Commission'],
            rows: data
              .toReversed()
              .map((point) => [
                String(point.epoch),
                formatPercent(point.apy),
                formatShare(point.commissionRate),
              ]),
          }),
          children: h(LinePlot, {
            x: memoEpochs(data),
            y: memoApy(data),
            height: 200,
            formatY: (value: number) => formatPercent(value, 1),
            formatX: (epoch: number) => `Epoch ${epoch}`,
            leastSpan: 1,
          }),
        })}`
    },
    html`${skeleton('8em', '1.4em')}<div style=${{ height: '8px' }}></div>${skeleton('5em', '2.4em')}<div style=${{ height: '290px' }}></div>`,
  )
}

type History = readonly { readonly epoch: number; readonly apy: number }[]
const memoEpochs = memoize((data: History) => data.map(({ epoch }) => epoch))
const memoApy = memoize((data: History) => data.map(({ apy }) => apy))

function EpochCard(): View {
  const epoch = useEpoch()
  const now = useNow()
  return whenLoaded(
    epoch,
    (data) => {
      const { startTimestampMs, endTimestampMs, durationMs, nextCommitteeSelected } = data
      const left = endTimestampMs - now
      const activeFrom = data.epoch + (nextCommitteeSelected ? 2 : 1)
      const inside = html`<span class="soft small">Epoch</span><strong class="figure-number">${formatCount(data.epoch)}</strong>
        <span class="small soft">${formatShare(Math.min(1, Math.max(0, (now - startTimestampMs) / durationMs)), 0)} done</span>`
      return html`<h2 class="visually-hidden">Epoch</h2><div class="epoch">
        ${epochDial((now - startTimestampMs) / durationMs, inside)}
        <dl class="facts">
          <div><dt>${left > 0 ? 'Ends in' : 'Due since'}</dt><dd class="number">${formatSpan(Math.abs(left))}</dd></div>
          <div><dt>One epoch lasts</dt><dd class="number">${formatSpan(durationMs)}</dd></div>
          <div><dt>Next committee</dt><dd>${nextCommitteeSelected ? 'selected' : 'not selected yet'}</dd></div>
          <div><dt>Stake made now earns from</dt><dd class="number">epoch ${activeFrom}</dd></div>
        </dl></div>`
    },
    html`<div class="epoch"><div class="dial"></div></div>`,
  )
}

function Figures(): View {
  const network = useNetwork()
  const price = usePrice()
  const validators = useValidators()
  const { data } = network
  const usd = price.data?.priceUsd
  const active = validators.data?.data.filter(
    ({ status }) => status === 'active' || status === 'leaving',
  ).length
  const bar = skeleton('5em')
  return stats([
    {
      label: 'Total stake',
      value: data ? h(Amount, { value: data.totalStake }) : bar,
      note:
        data && usd !== undefined ? formatUsd(toTokens(BigInt(data.totalStake), data.decimals) * usd) : '',
    },
    {
      label: 'Price',
      value: usd === undefined ? (price.error ? '–' : bar) : formatUsd(usd),
      note: price.data ? priceNote(price.data) : price.error ? 'no source' : '',
    },
    {
      label: 'Validators in the committee',
      value: active === undefined ? bar : formatCount(active),
      note: data?.committee
        ? `${formatCount(data.committee.minMembers)} to ${formatCount(data.committee.maxMembers)} possible`
        : '',
    },
    {
      label: 'Rewards per epoch',
      value: data ? h(Amount, { value: data.rewardsPerEpoch }) : bar,
      note: data
        ? data.rewardShape === 'equal-share'
          ? 'the same for every member'
          : 'shared by stake'
        : '',
    },
    {
      label: 'A seat needs',
      value: data ? h(Amount, { value: data.minValidatorJoiningStake }) : bar,
      note: data
        ? `smallest stake ${formatTokens(BigInt(data.minStakeAmount), data.decimals)} ${data.symbol}`
        : '',
    },
  ])
}

function priceNote({
  change24hPercent,
  stale,
  updatedAt,
}: NonNullable<ReturnType<typeof usePrice>['data']>): View {
  if (stale) return html`<span class="attention">last known, ${h(Ago, { at: updatedAt })}</span>`
  if (change24hPercent === null) return html`${h(Ago, { at: updatedAt })}`
  const word = change24hPercent < 0 ? 'down' : 'up'
  return html`<span class=${change24hPercent < 0 ? 'bad' : 'good'}>${formatSigned(change24hPercent, 2)}%</span> ${word} in 24 h`
}

function ChangesCard(): View {
  const network = useNetwork()
  const validators = useValidators()
  const changes =
    network.data && validators.data ? changesAhead(validators.data.data, network.data) : undefined
  return html`<div class="section-head"><h2 id="next">What changes next</h2>
    ${changes && html`<span class="soft small">${plural(changes.filter(({ kind }) => kind !== 'nearest').length, 'change')} ahead</span>`}</div>
    ${
      changes && network.data
        ? changes.length === 0
          ? html`<p class="soft">Nothing is announced: the next epoch starts like this one.</p>`
          : html`<ul class="changes">${firstOfEachKind(changes).map((change) => changeRow(change, network.data))}</ul>`
        : html`<div style=${{ height: '300px' }}>${skeleton('100%', '260px')}</div>`
    }`
}

/** A few of every kind rather than many of one. */
function firstOfEachKind(changes: readonly Change[]): readonly Change[] {
  const seen = new Map<string, number>()
  const ranked = changes.map((change) => {
    const place = seen.get(change.kind) ?? 0
    seen.set(change.kind, place + 1)
    return { change, place }
  })
  const chosen = new Set(
    ranked
      .toSorted((a, b) => a.place - b.place)
      .slice(0, SHOWN_CHANGES)
      .map(({ change }) => change),
  )
  return changes.filter((change) => chosen.has(change))
}

function changeRow({ kind, validator }: Change, network: Network | undefined): View {
  return html`<li><span class="change-kind">${CHANGE_BADGES[kind]}</span><span>${validatorLink(validator)} <span class="soft">${describeChange(kind, validator, network)}</span></span></li>`
}

const CHANGE_BADGES: Readonly<Record<Change['kind'], View>> = {
  commission: badge('commission', 'attention'),
  leaving: badge('leaves', 'bad'),
  joining: badge('joins', 'good'),
  'at-risk': badge('seat at risk', 'attention'),
  nearest: badge('smallest'),
}

function describeChange(kind: Change['kind'], validator: Validator, network: Network | undefined): string {
  switch (kind) {
    case 'commission':
      return `${validator.nextCommissionRate > validator.commissionRate ? 'raises' : 'lowers'} its commission from ${formatShare(validator.commissionRate, 1)} to ${formatShare(validator.nextCommissionRate, 1)}`
    case 'leaving':
      return `leaves the committee: ${network ? `${formatTokens(BigInt(validator.totalStake), network.decimals)} ${network.symbol}` : 'its stake'} will stop earning`
    case 'joining':
      return `joins the committee with ${network ? `${formatTokens(BigInt(validator.totalStake), network.decimals)} ${network.symbol}` : 'its stake'}`
    case 'nearest':
    case 'at-risk': {
      const headroom = network ? headroomOf(validator, network) : 0
      return headroom < 0
        ? 'is below what a seat needs'
        : `is ${kind === 'nearest' ? '' : 'only '}${formatShare(headroom, 1)} above what a seat needs`
    }
  }
}

const waysOn = html`<nav class="ways" aria-label="Ways on">
  <a href="/validators"><strong>Explore validators</strong><span>Scores, yields and histories, explained part by part.</span>${icon('right')}</a>
  <a href="/allocate"><strong>Try an amount</strong><span>The optimal split, and why it stops where it stops.</span>${icon('right')}</a>
  <a href="/console"><strong>Connect an agent</strong><span>Register a key, watch what it does, stop it at once.</span>${icon('right')}</a>
</nav>`

function BestValidators(): View {
  const validators = useValidators()
  const scoring = useScoring()
  const best = validators.data?.data
    .filter(({ score }) => score !== null)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, SHOWN_VALIDATORS)
  return html`<div class="section-head section"><h2 id="best">Highest scores</h2><a class="small" href="/validators">All validators</a></div>
    <ol class="best">${(best ?? Array.from({ length: SHOWN_VALIDATORS }, () => undefined)).map(
      (validator, index) => html`<li class="card">
      ${
        validator
          ? html`<div class="row spread"><span><span class="faint">${index + 1}</span> ${validatorLink(validator)}</span><strong>${formatDecimal(validator.score ?? 0, 1)}</strong></div>
            ${scoreBar(validator, toWeights(scoring.data?.weights ?? {}))}
            <div class="row spread small soft"><span>${validator.apy === null ? 'no history' : `${formatPercent(validator.apy)} APY`}</span><span>${formatShare(validator.commissionRate, 1)} commission</span></div>`
          : skeleton('100%', '66px')
      }</li>`,
    )}</ol>`
}
