import { numberFrom, oneOf, readParts } from '../data/address/read-parts.ts'
import { headroomOf } from '../data/changes.ts'
import { memoize } from '../data/memo.ts'
import {
  type Histories,
  type Network,
  useHistories,
  useNetwork,
  useScoring,
  useValidators,
  type Validator,
} from '../data/queries.ts'
import { setQuery, usePlace } from '../data/router.ts'
import { PART_NAMES, SCORE_PARTS, toWeights, type Weights } from '../data/score.ts'
import { unreadParts } from '../parts/address/unread-parts.ts'
import { Amount } from '../parts/amount.ts'
import { validatorBadge } from '../parts/badge.ts'
import { formatDecimal, formatPercent, formatShare, formatSignedShare, plural } from '../parts/format.ts'
import { inputValue } from '../parts/forms/field.ts'
import { h, html, type View } from '../parts/html.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'
import { type Column, type Order, Table } from '../parts/table.ts'
import { validatorLink } from '../parts/validator-link.ts'
import { scoreBar } from '../plots/score-bar.ts'
import { spark } from '../plots/spark.ts'
import { uptimeSquares } from '../plots/uptime-squares.ts'

const EPOCHS = 30
const FILTERS = ['active', 'all', 'changing', 'outside'] as const
type Filter = (typeof FILTERS)[number]
const FILTER_NAMES: Readonly<Record<Filter, string>> = {
  active: 'In the committee',
  all: 'All',
  changing: 'Changing',
  outside: 'Outside',
}

type Row = Validator & {
  readonly rank: number | undefined
  readonly history: Histories['data'][number] | undefined
}

/** Which validators, and why? */
export default function Validators(): View {
  const validators = useValidators()
  const network = useNetwork()
  const scoring = useScoring()
  const histories = useHistories(EPOCHS)
  const { query } = usePlace()
  const { choice, unread } = readChoice(query)
  const weights = weightsOf(scoring.data ?? NO_SCORING)
  return html`<div class="page">
    <div class="page-head"><div><h1>Validators</h1>
      <p class="lede">Ranked by score: yield that can be relied upon, uptime and commission. <a href="/score">How the score is made</a>, and with your own weights.</p>
    </div></div>
    ${unreadParts(unread)}
    ${toolbar(choice, validators.data && countShown(validators.data.data, choice))}
    <p class="score-legend" data-phone="hide">The score is the sum of ${SCORE_PARTS.map((part) => html`<span class="key" data-part=${part}>${PART_NAMES[part].toLowerCase()}</span>`)}</p>
    ${whenLoaded(
      validators,
      ({ data }) => {
        const rows = shownRows(toRows(data, histories.data), choice)
        if (rows.length === 0)
          return empty(
            'No validator fits.',
            html`<button type="button" class="button" onClick=${clear}>Clear search and filters</button>`,
          )
        return h(Table<Row>, {
          label: 'Validators',
          columns: columnsFor(weights, network.data),
          rows,
          rowKey: (row: Row) => row.id,
          order: choice.order,
          onOrder: ({ key, direction }: Order) =>
            setQuery({ sort: key, order: direction === 'ascending' ? 'up' : undefined }),
        })
      },
      html`<div class="table-wrap">${Array.from({ length: 12 }, () => html`<div style=${{ padding: '12px' }}>${skeleton('100%', '24px')}</div>`)}</div>`,
    )}
  </div>`
}

const NO_SCORING = { weights: {} }
const weightsOf = memoize(({ weights }: { readonly weights: Readonly<Record<string, number>> }) =>
  toWeights(weights),
)

type Choice = {
  readonly search: string
  readonly filter: Filter
  readonly maxCommission: number
  readonly order: Order
}

const SORTS = ['name', 'score', 'apy', 'commission', 'uptime', 'stake', 'headroom'] as const
type Sort = (typeof SORTS)[number]

function readChoice(query: URLSearchParams): {
  readonly choice: Choice
  readonly unread: readonly string[]
} {
  const { read, unread } = readParts(query)
  const shown = `it takes ${FILTERS.join(', ')}, and those in the committee are shown`
  const choice: Choice = {
    search: query.get('q') ?? '',
    filter: read<Filter>('show', oneOf(FILTERS), 'active', shown),
    maxCommission: read(
      'commission',
      numberFrom(0, 100),
      100,
      'it takes 0 to 100 percent, and any commission is shown',
    ),
    order: {
      key: read<Sort>('sort', oneOf(SORTS), 'score', `it takes ${SORTS.join(', ')}, and the score sorts`),
      direction: read(
        'order',
        (text) => (text === 'up' ? 'ascending' : undefined),
        'descending',
        'it takes up, and the highest come first',
      ),
    },
  }
  return { choice, unread }
}

/** The limits to choose from, with the one of the address. */
const limitsWith = (own: number) => [...new Set([100, 20, 10, 5, own])].toSorted((a, b) => b - a)

const clear = () => setQuery({ q: undefined, show: 'all', commission: undefined })

function toolbar({ search, filter, maxCommission }: Choice, count: number | undefined): View {
  return html`<div class="toolbar" role="search">
    <input class="input" type="search" placeholder="Search by name or id" aria-label="Search by name or id" value=${search}
      onInput=${(event: InputEvent) => setQuery({ q: inputValue(event) })} />
    <div class="segments" role="group" aria-label="Which validators">${FILTERS.map(
      (name) =>
        html`<button type="button" aria-pressed=${name === filter} onClick=${() => setQuery({ show: name === 'active' ? undefined : name })}>${FILTER_NAMES[name]}</button>`,
    )}</div>
    <select class="select" aria-label="Highest commission" value=${String(maxCommission)} onChange=${(event: Event) => setQuery({ commission: inputValue(event) === '100' ? undefined : inputValue(event) })}>
      ${limitsWith(maxCommission).map((limit) => html`<option value=${String(limit)}>${limit === 100 ? 'Any commission' : `Commission up to ${formatPercent(limit, Number.isInteger(limit) ? 0 : 2)}`}</option>`)}
    </select>
    <span class="end" role="status">${count === undefined ? '' : plural(count, 'validator')}</span>
  </div>`
}

function toRows(validators: readonly Validator[], histories: Histories | undefined): readonly Row[] {
  const ranked = validators
    .filter(({ score }) => score !== null && score > 0)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  const ranks = new Map(ranked.map(({ id }, index) => [id, index + 1]))
  const byId = new Map(histories?.data.map((one) => [one.id, one]))
  return validators.map((validator) => ({
    ...validator,
    rank: ranks.get(validator.id),
    history: byId.get(validator.id),
  }))
}

const isInCommittee = ({ status }: Validator) => status === 'active' || status === 'leaving'
const isChanging = (one: Validator) =>
  one.status === 'leaving' || one.status === 'pending' || one.commissionRate !== one.nextCommissionRate

const FITS: Readonly<Record<Filter, (one: Validator) => boolean>> = {
  active: isInCommittee,
  all: () => true,
  changing: isChanging,
  outside: (one) => !isInCommittee(one),
}

function fits(one: Validator, { search, filter, maxCommission }: Choice): boolean {
  const words = search.trim().toLowerCase()
  const named = words === '' || one.name.toLowerCase().includes(words) || one.id.startsWith(words)
  return named && FITS[filter](one) && one.commissionRate * 100 <= maxCommission
}

const shownRows = (rows: readonly Row[], choice: Choice) => rows.filter((row) => fits(row, choice))
const countShown = (validators: readonly Validator[], choice: Choice) =>
  validators.filter((one) => fits(one, choice)).length

function columnsFor(
  weights: Weights,
  network: Network | undefined,
): readonly (Column<Row> & { readonly key: Sort })[] {
  return [
    {
      key: 'name',
      head: 'Validator',
      first: 'ascending',
      sort: ({ name }) => name.toLowerCase(),
      cell: (row) =>
        html`<span class="name-cell"><span class="rank faint">${row.rank ?? '–'}</span><span class="name-more">${validatorLink(row)}${row.status === 'active' ? null : validatorBadge(row.status)}<span class="small soft" data-phone="only">takes ${commissionCell(row)}</span></span></span>`,
    },
    {
      key: 'score',
      head: 'Score',
      sort: ({ score }) => score,
      cell: (row) =>
        html`<span class="score-cell"><b>${row.score === null ? '–' : formatDecimal(row.score, 1)}</b><span data-phone="hide">${scoreBar(row, weights)}</span></span>`,
    },
    {
      key: 'apy',
      head: 'Net APY',
      align: 'end',
      sort: ({ apy }) => apy,
      cell: (row) =>
        html`<span class="with-spark"><span data-phone="hide">${spark(row.history?.apy ?? [])}</span><span class="number apy">${row.apy === null ? '–' : formatPercent(row.apy)}</span></span>`,
    },
    {
      key: 'commission',
      head: 'Commission',
      align: 'end',
      phone: 'hide',
      first: 'ascending',
      sort: ({ commissionRate }) => commissionRate,
      cell: commissionCell,
    },
    {
      key: 'uptime',
      head: `Uptime, ${EPOCHS} epochs`,
      phone: 'hide',
      sort: ({ uptime }) => uptime,
      cell: (row) =>
        html`<span class="uptime-cell">${uptimeSquares(row.history?.performed ?? [])}<span class="number">${row.uptime === null ? '–' : formatShare(row.uptime, 1)}</span></span>`,
    },
    {
      key: 'stake',
      head: 'Stake',
      align: 'end',
      phone: 'hide',
      sort: ({ totalStake }) => Number(totalStake),
      cell: ({ totalStake }) => h(Amount, { value: totalStake, unit: false }),
    },
    {
      key: 'headroom',
      head: 'Above threshold, next epoch',
      align: 'end',
      phone: 'hide',
      first: 'ascending',
      sort: (row) => (network ? headroomOf(row, network) : null),
      cell: (row) => (network ? headroomCell(headroomOf(row, network)) : ''),
    },
  ]
}

function commissionCell({ commissionRate, nextCommissionRate }: Row): View {
  const now = html`<span class="number">${formatShare(commissionRate, 1)}</span>`
  if (commissionRate === nextCommissionRate) return now
  const rises = nextCommissionRate > commissionRate
  return html`${now} <span class=${rises ? 'attention nowrap' : 'good nowrap'} title="announced"><span aria-hidden="true">${rises ? '↑' : '↓'}</span> ${formatShare(nextCommissionRate, 1)}</span>`
}

const headroomCell = (headroom: number): View =>
  html`<span class=${headroom < 0 ? 'bad number' : headroom < 0.05 ? 'attention number' : 'number'}>${formatSignedShare(headroom, 0)}</span>`
