import { APY_EPOCHS } from '@stakewright/contract/limits'
import { useHistories, useNetwork, useScoring, useValidators } from '../data/queries.ts'
import { setQuery, usePlace } from '../data/router.ts'
import { PART_NAMES, SCORE_PARTS } from '../data/score.ts'
import {
  type Choice,
  countShown,
  EPOCHS,
  FILTERS,
  type Filter,
  type Row,
  readChoice,
  shownRows,
  toRows,
} from '../data/validators/list.ts'
import { unreadParts } from '../parts/address/unread-parts.ts'
import { formatPercent, plural } from '../parts/format.ts'
import { inputValue } from '../parts/forms/field.ts'
import { h, html, type View } from '../parts/html.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'
import { type Order, Table } from '../parts/table.ts'
import { columnsFor } from '../parts/validator/list-columns.ts'
import { noBars, shownWeights } from '../parts/validator/score-weights.ts'

const FILTER_NAMES: Readonly<Record<Filter, string>> = {
  active: 'In the committee',
  all: 'All',
  changing: 'Changing',
  outside: 'Outside',
}

/** The table of validators, with search, filters and sorting. */
export default function Validators(): View {
  const validators = useValidators()
  const network = useNetwork()
  const scoring = useScoring()
  const histories = useHistories(EPOCHS)
  const { query } = usePlace()
  const { choice, unread } = readChoice(query)
  const weights = shownWeights(scoring)
  return html`<div class="page">
    <div class="page-head"><div><h1>Validators</h1>
      <p class="lede">Ranked by score: yield that can be relied upon, uptime and commission. <a href="/score">How the score is made</a>, and with your own weights.</p>
    </div></div>
    ${unreadParts(unread)}${weights === undefined && noBars(scoring.error)}
    ${toolbar(choice, validators.data && countShown(validators.data.data, choice))}
    <p class="score-legend">The score adds ${SCORE_PARTS.map((part) => html`<span class="key" data-part=${part}>${PART_NAMES[part].toLowerCase()}</span>`)}</p>
    <p class="small soft apy-note">Net APY is after commission, the lower of the means of the last ${APY_EPOCHS.short} and ${APY_EPOCHS.long} epochs.<span data-phone="hide"> Its line has each of the last ${EPOCHS}, on one scale for all.</span></p>
    ${whenLoaded(
      validators,
      ({ data }) => {
        const rows = shownRows(toRows(data, histories.data), choice)
        if (rows.length === 0)
          return empty(
            isOnlyChanging(choice)
              ? 'Nothing is announced: no validator joins, leaves or changes its commission.'
              : 'No validator fits.',
            html`<button type="button" class="button" onClick=${clear}>Clear search and filters</button>`,
          )
        return h(Table<Row>, {
          label: 'Validators',
          columns: columnsFor(weights, network.data, choice.order.key, rows),
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

/** The commission limits to choose from, including the one in the URL. */
const limitsWith = (own: number) => [...new Set([100, 20, 10, 5, own])].toSorted((a, b) => b - a)

const isOnlyChanging = ({ search, filter, maxCommission }: Choice): boolean =>
  filter === 'changing' && search === '' && maxCommission === 100

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
