import { headroomOf, nextStakeOf } from '../data/changes.ts'
import { memoize } from '../data/memo.ts'
import {
  type HistoryPoint,
  type Network,
  useHistories,
  useNetwork,
  useScoring,
  useValidatorHistory,
  useValidators,
  type Validator,
} from '../data/queries.ts'
import { type ScorePart, scoreParts, toWeights, type Weights } from '../data/score.ts'
import { rewardsPerEpoch, type ValidatorEvent, validatorEvents } from '../data/validator-events.ts'
import { Amount } from '../parts/amount.ts'
import { validatorBadge } from '../parts/badge.ts'
import { Figure } from '../parts/figure.ts'
import {
  formatDecimal,
  formatPercent,
  formatShare,
  formatSigned,
  formatTokens,
  formatTokenTick,
  plural,
  toTokens,
} from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { Id } from '../parts/id.ts'
import { stats } from '../parts/stat.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'
import { nameText, validatorLink } from '../parts/validator-link.ts'
import { LinePlot, type PlotEvent } from '../plots/line-plot.ts'
import { stakeStrip } from '../plots/stake-strip.ts'
import { uptimeSquares } from '../plots/uptime-squares.ts'

const EPOCHS = 30
const NEIGHBOURS = 3

/** One validator: why this score, how it came here, where it stands. */
export default function ValidatorPage({
  params,
}: {
  readonly params: Readonly<Record<string, string>>
}): View {
  const id = params['id'] ?? ''
  const validators = useValidators()
  return html`<div class="page">${whenLoaded(
    validators,
    ({ data }) => {
      const validator = data.find((one) => one.id === id)
      if (!validator)
        return empty(
          'There is no validator with this id on this network.',
          html`<a class="button" href="/validators">All validators</a>`,
        )
      return h(Details, { validator, all: data })
    },
    html`<div class="page-head">${skeleton('14em', '2em')}</div>${skeleton('100%', '96px')}`,
  )}</div>`
}

type Props = { readonly validator: Validator; readonly all: readonly Validator[] }

function Details({ validator, all }: Props): View {
  const network = useNetwork().data
  const weights = toWeights(useScoring().data?.weights ?? {})
  return html`
    <div class="page-head"><div>
      <a class="crumb" href="/validators">Validators</a>
      <h1>${nameText(validator.name)}</h1>
      <p class="row small">${validatorBadge(validator.status)} ${h(Id, { id: validator.id, what: 'validator id' })}</p>
    </div><div class="actions"><a class="button" data-kind="primary" href="/allocate">Try an amount</a></div></div>
    ${figures(validator, all, network)}
    <div class="grid section">
      <section class="card span-7" aria-labelledby="why">${whyThisScore(validator, weights)}</section>
      <section class="card span-5" aria-labelledby="place">${network ? h(Place, { validator, all, network }) : skeleton('100%', '200px')}</section>
    </div>
    ${h(Histories, { validator, network })}`
}

function figures(validator: Validator, all: readonly Validator[], network: Network | undefined): View {
  const {
    score,
    apy,
    commissionRate,
    nextCommissionRate,
    uptime,
    totalStake,
    pendingStake,
    withdrawingStake,
  } = validator
  const ranked = all.filter((one) => one.score !== null && one.score > 0)
  const rank = ranked.filter((one) => (one.score ?? 0) > (score ?? 0)).length + 1
  const announced =
    nextCommissionRate === commissionRate
      ? 'no change announced'
      : `${formatShare(nextCommissionRate, 1)} announced`
  const flow = BigInt(pendingStake) - BigInt(withdrawingStake)
  return stats([
    {
      label: 'Score',
      value: score === null ? '–' : formatDecimal(score, 1),
      note: score ? `${rank} of ${ranked.length}` : 'not ranked',
    },
    {
      label: 'Net APY',
      value: apy === null ? '–' : formatPercent(apy),
      note: apy === null ? 'no history yet' : 'completed epochs, after commission',
    },
    { label: 'Commission', value: formatShare(commissionRate, 1), note: announced },
    {
      label: `Uptime, ${EPOCHS} epochs`,
      value: uptime === null ? '–' : formatShare(uptime, 1),
      note: h(Squares, { id: validator.id }),
    },
    {
      label: 'Stake',
      value: h(Amount, { value: totalStake }),
      note:
        network && flow !== 0n
          ? `${flow > 0n ? '+' : ''}${formatTokens(flow, network.decimals)} on its way`
          : 'nothing on its way',
    },
  ])
}

function Squares({ id }: { readonly id: string }): View {
  const history = useHistories(EPOCHS).data?.data.find((one) => one.id === id)
  return uptimeSquares(history?.performed ?? [])
}

const PART_LABELS: Readonly<Record<ScorePart, string>> = {
  apy: 'Yield',
  uptime: 'Uptime',
  commission: 'Commission',
}

const PART_REASONS: Readonly<Record<ScorePart, string>> = {
  apy: 'What it can be relied upon to pay next, net of commission, against the field.',
  uptime: 'Share of the last 30 epochs it performed in: 0 at 90 %, 1 at 100 %.',
  commission: 'The highest of the last 30 epochs, now, or announced: 1 at none, 0 at 20 %.',
}

function whyThisScore({ components, ineligible, score, name }: Validator, weights: Weights): View {
  const title = html`<div class="section-head"><h2 id="why">Why this score</h2><a class="small" href="/score">Try other weights</a></div>`
  if (!components || score === null)
    return html`${title}<p class="soft">It has no completed epoch yet, so there is nothing to score.</p>`
  const parts = scoreParts(components, weights)
  const sum = parts.reduce((total, { points }) => total + points, 0)
  const best = parts.toSorted((a, b) => lost(a) - lost(b))
  const caption =
    ineligible.length > 0
      ? `${name} may not be chosen (${ineligible.join(', ').replaceAll('_', ' ')}), so its score is 0.`
      : `${name} scores ${formatDecimal(score, 1)}: it loses least by ${PART_LABELS[best[0]?.name ?? 'apy'].toLowerCase()} and most by ${PART_LABELS[best.at(-1)?.name ?? 'apy'].toLowerCase()}.`
  return html`${title}
    <span class="score-bar" data-size="large" aria-hidden="true">${parts.map(({ name: part, points }) => html`<i data-part=${part} style=${{ width: `${points}%` }}></i>`)}</span>
    <div class="sum" role="group" aria-label="Sum of the score">
      ${parts.map(({ name: part, value, weight, points }) => html`<div><span class="key" data-part=${part}>${PART_LABELS[part]}</span><span class="soft number">${formatDecimal(value, 3)}</span><span class="soft number">× ${formatDecimal(weight * 100, 0)}</span><span class="number">${formatDecimal(points, 1)}</span><span class="why">${PART_REASONS[part]}</span></div>`)}
      <div><span>Gate</span><span class="soft number">× ${formatDecimal(components.gate, 2)}</span><span></span><span class="soft">${components.gate === 1 ? 'open' : components.gate === 0 ? 'closed' : 'short history'}</span></div>
      <div class="total"><span>Score</span><span></span><span></span><span class="number">${formatDecimal(sum, 1)}</span></div>
    </div><p class="small soft">${caption}</p>`
}

const lost = ({ value, weight }: { readonly value: number; readonly weight: number }) => weight * (1 - value)

function Place({ validator, all, network }: Props & { readonly network: Network }): View {
  const threshold = BigInt(network.minValidatorJoiningStake)
  const seated = all.filter(
    ({ status }) => status === 'active' || status === 'leaving' || status === 'pending',
  )
  const ordered = [...new Set([...seated, validator])].toSorted((a, b) =>
    Number(nextStakeOf(b) - nextStakeOf(a)),
  )
  const index = ordered.findIndex(({ id }) => id === validator.id)
  const near = ordered.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1)
  const headroom = headroomOf(validator, network)
  const caption =
    headroom < 0
      ? `It is ${formatShare(-headroom, 1)} below what a seat needs: it loses its place unless stake arrives.`
      : `It is number ${index + 1} of ${ordered.length} by coming stake, ${formatShare(headroom, 1)} above what a seat needs.`
  return html`<h2 id="place" class="visually-hidden">Its place in the committee</h2>${h(Figure, {
    title: 'Its place in the committee',
    caption,
    table: () => ({
      head: ['Validator', 'Coming stake', 'Above threshold'],
      rows: ordered.map((one) => [
        one.name,
        formatTokens(nextStakeOf(one), network.decimals),
        `${formatSigned(headroomOf(one, network) * 100, 1)}%`,
      ]),
    }),
    children: stakeStrip({
      dots: ordered.map((one) => ({ id: one.id, stake: nextStakeOf(one) })),
      own: validator.id,
      threshold,
      decimals: network.decimals,
    }),
  })}
  <div style=${{ height: '12px' }}></div>
  <table class="table-plain"><caption class="visually-hidden">Nearest by stake</caption><thead><tr><th scope="col">Near it</th><th scope="col" data-align="end">Stake</th><th scope="col" data-align="end">Score</th></tr></thead>
    <tbody>${near.map((one) => html`<tr><td>${one.id === validator.id ? html`<strong>${nameText(one.name)}</strong>` : validatorLink(one)}</td><td data-align="end">${formatTokens(nextStakeOf(one), network.decimals)}</td><td data-align="end">${one.score === null ? '–' : formatDecimal(one.score, 1)}</td></tr>`)}</tbody></table>`
}

type Series = {
  readonly epochs: readonly number[]
  readonly apy: readonly number[]
  readonly stake: readonly number[]
  readonly commission: readonly number[]
  readonly rewards: readonly (number | null)[]
}

const toSeries = memoize(
  ({ data, decimals }: { readonly data: readonly HistoryPoint[]; readonly decimals: number }): Series => ({
    epochs: data.map(({ epoch }) => epoch),
    apy: data.map(({ apy }) => apy),
    stake: data.map(({ totalStake }) => toTokens(BigInt(totalStake), decimals)),
    commission: data.map(({ commissionRate }) => commissionRate * 100),
    rewards: rewardsPerEpoch(data).map((amount) => (amount === null ? null : toTokens(amount, decimals))),
  }),
)
/** One object per answer, for `toSeries` to remember. */
const withDecimals = memoize((data: readonly HistoryPoint[]) => {
  const known = new Map<number, { readonly data: readonly HistoryPoint[]; readonly decimals: number }>()
  return (decimals: number) => {
    const entry = known.get(decimals) ?? { data, decimals }
    known.set(decimals, entry)
    return entry
  }
})

function Histories({
  validator,
  network,
}: {
  readonly validator: Validator
  readonly network: Network | undefined
}): View {
  const history = useValidatorHistory(validator.id)
  const recent = useHistories(EPOCHS).data
  return html`<section class="section" aria-labelledby="history"><h2 id="history">History</h2>
    <p class="lede">The same epochs in every plot: the crosshair moves through all of them. Marks show changes of commission and missed epochs.</p>
    <div style=${{ height: '16px' }}></div>
    ${whenLoaded(
      history,
      ({ data }) => {
        if (data.length === 0 || !network) return empty('No completed epoch yet.')
        const own = recent?.data.find((one) => one.id === validator.id)
        const events = validatorEvents(data, own, recent?.epochs ?? [], (value) => formatShare(value, 1))
        return h(Multiples, {
          series: toSeries(withDecimals(data)(network.decimals)),
          events,
          network,
          name: validator.name,
        })
      },
      skeleton('100%', '480px'),
    )}</section>`
}

type MultiplesProps = {
  readonly series: Series
  readonly events: readonly ValidatorEvent[]
  readonly network: Network
  readonly name: string
}

function Multiples({ series, events, network, name }: MultiplesProps): View {
  const marks = marksOf(events)
  const tokens = (value: number) =>
    formatTokens(BigInt(Math.round(value)) * 10n ** BigInt(network.decimals), network.decimals)
  const plots = [
    {
      title: 'Net APY',
      y: series.apy,
      format: (value: number) => formatPercent(value, 1),
      tick: (value: number) => formatPercent(value, 1),
      caption: spanCaption(name, 'paid', series.apy, (value) => formatPercent(value)),
      colour: 1,
      step: false,
      span: 1,
    },
    {
      title: `Stake, ${network.symbol}`,
      y: series.stake,
      format: tokens,
      tick: formatTokenTick,
      caption: spanCaption(name, 'held', series.stake, (value) => `${tokens(value)} ${network.symbol}`),
      colour: 3,
      step: false,
      span: 0,
    },
    {
      title: 'Commission',
      y: series.commission,
      format: (value: number) => formatPercent(value, 1),
      tick: (value: number) => formatPercent(value, 1),
      caption: spanCaption(name, 'kept', series.commission, (value) => formatPercent(value, 1)),
      colour: 2,
      step: true,
      span: 2,
    },
    {
      title: `Rewards to its stakers, ${network.symbol} per epoch`,
      y: series.rewards,
      format: tokens,
      tick: formatTokenTick,
      caption: spanCaption(
        name,
        'earned its stakers',
        series.rewards,
        (value) => `${tokens(value)} ${network.symbol}`,
      ),
      colour: 4,
      step: false,
      span: 0,
    },
  ] as const
  return html`<div class="multiples">${plots.map(
    ({ title, y, format, tick, caption, colour, step, span }) =>
      html`<div class="card">${h(Figure, {
        title,
        caption,
        table: () => ({
          head: ['Epoch', title, 'What happened'],
          rows: series.epochs
            .map((epoch, index) => {
              const value = y[index] ?? null
              return [
                String(epoch),
                value === null ? '–' : format(value),
                events
                  .filter((event) => event.epoch === epoch)
                  .map(({ text }) => text)
                  .join(', '),
              ]
            })
            .toReversed(),
        }),
        children: h(LinePlot, {
          x: series.epochs,
          y,
          height: 150,
          formatY: format,
          formatTick: tick,
          formatX: (epoch: number) => `Epoch ${epoch}`,
          series: colour,
          sync: 'validator',
          isStepped: step,
          leastSpan: span,
          events: marks,
        }),
      })}</div>`,
  )}</div>`
}

const marksByText = new Map<string, readonly PlotEvent[]>()
/** Equal events keep their identity, so that plots are not drawn anew. */
function marksOf(events: readonly ValidatorEvent[]): readonly PlotEvent[] {
  const key = JSON.stringify(events)
  const known = marksByText.get(key) ?? events.map(({ epoch, text }) => ({ x: epoch, text }))
  marksByText.set(key, known)
  return known
}

function spanCaption(
  name: string,
  verb: string,
  values: readonly (number | null)[],
  format: (value: number) => string,
): string {
  const known = values.filter((value) => value !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return `${name} has no figures yet.`
  const over = `over ${plural(known.length, 'epoch')}`
  if (Math.min(...known) === Math.max(...known)) return `${name} ${verb} ${format(last)} throughout, ${over}.`
  if (format(first) === format(last))
    return `${name} ${verb} ${format(last)}, as ${known.length - 1} epochs before; between ${format(Math.min(...known))} and ${format(Math.max(...known))} ${over}.`
  return `${name} ${verb} ${format(last)} lately, after ${format(first)} at the start; between ${format(Math.min(...known))} and ${format(Math.max(...known))} ${over}.`
}
