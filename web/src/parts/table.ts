import { useState } from 'preact/hooks'
import { inputValue } from './forms/field.ts'
import { html, type View } from './html.ts'

/** Both ways to sort, in words. */
const WAYS = {
  number: { descending: 'Highest first', ascending: 'Lowest first' },
  text: { descending: 'Z to A', ascending: 'A to Z' },
  time: { descending: 'Latest first', ascending: 'Earliest first' },
} as const

export type Column<Row> = {
  readonly key: string
  readonly head: string
  readonly cell: (row: Row, index: number) => View
  /** The value that a click on the head sorts by. Rows without a value come last in both directions. */
  readonly sort?: (row: Row) => number | string | null
  /** The direction of the first click on the head. */
  readonly first?: 'ascending' | 'descending'
  /** The kind of the sorted values; numbers by default. */
  readonly kind?: keyof typeof WAYS
  readonly align?: 'end'
  /** Left out on a phone; `below`: the first column has the value there. */
  readonly phone?: 'hide' | 'below'
}

export type Order = { readonly key: string; readonly direction: 'ascending' | 'descending' }

type Props<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly order?: Order
  readonly onOrder?: (order: Order) => void
}

/** A table that is sorted by its head. With `onOrder` the caller keeps the order, for example in the URL. */
export function Table<Row>({ label, columns, rows, rowKey, order, onOrder }: Props<Row>): View {
  const [own, setOwn] = useState<Order | undefined>(order)
  const current = onOrder ? order : own
  const change = onOrder ?? setOwn
  const sorted = sortRows(rows, columns, current)
  return html`${rows.length > 1 && sortChoice(label, columns, current, change)}<div class="table-wrap" tabindex="0" role="region" aria-label=${`${label}, table`}>
    <table class="table">
      <caption class="visually-hidden">${label}</caption>
      <thead><tr>${columns.map((column) => headCell(column, current, change))}</tr></thead>
      <tbody>${sorted.map(
        (row, index) =>
          html`<tr key=${rowKey(row)}>${columns.map(
            (column) =>
              html`<td data-align=${column.align} data-phone=${column.phone && 'hide'}>${column.cell(row, index)}</td>`,
          )}</tr>`,
      )}</tbody>
    </table>
  </div>`
}

function headCell<Row>(column: Column<Row>, order: Order | undefined, change: (order: Order) => void): View {
  const { key, head, sort, first = 'descending', align, phone } = column
  if (!sort)
    return html`<th scope="col" data-align=${align} data-phone=${phone && 'hide'}><span>${head}</span></th>`
  const isCurrent = order?.key === key
  const next = isCurrent ? opposite(order.direction) : first
  const arrow = isCurrent ? (order.direction === 'ascending' ? '↑' : '↓') : ''
  return html`<th scope="col" data-align=${align} data-phone=${phone && 'hide'} aria-sort=${isCurrent ? order.direction : undefined}>
    <button type="button" onClick=${() => change({ key, direction: next })}>${head}<span class="arrow" aria-hidden="true">${arrow}</span></button>
  </th>`
}

/** A sort control for phones, where the head of the table lacks some columns: it offers all of them. */
function sortChoice<Row>(
  label: string,
  columns: readonly Column<Row>[],
  order: Order | undefined,
  change: (order: Order) => void,
): View {
  const sorting = columns.filter(({ sort, phone }) => sort && phone !== 'hide')
  if (sorting.every(({ phone }) => phone !== 'below')) return null
  const current = sorting.find(({ key }) => key === order?.key)
  const sortBy = (event: Event) => {
    const column = sorting.find(({ key }) => key === inputValue(event))
    if (column) change({ key: column.key, direction: column.first ?? 'descending' })
  }
  return html`<div class="sort-choice" role="group" aria-label=${`Order of ${label.toLowerCase()}`} data-phone="only">
    <label>Sort by <select class="select" value=${current?.key ?? ''} onChange=${sortBy}>
      ${!current && html`<option value="">As listed</option>`}
      ${sorting.map(({ key, head }) => html`<option value=${key}>${head}</option>`)}
    </select></label>
    ${current && order && wayChoice(current.kind ?? 'number', order, change)}
  </div>`
}

function wayChoice(kind: keyof typeof WAYS, { key, direction }: Order, change: (order: Order) => void): View {
  const other = opposite(direction)
  return html`<select class="select" aria-label="What comes first" value=${direction} onChange=${() => change({ key, direction: other })}>
    ${(['descending', 'ascending'] as const).map((way) => html`<option value=${way}>${WAYS[kind][way]}</option>`)}
  </select>`
}

const opposite = (direction: Order['direction']) => (direction === 'ascending' ? 'descending' : 'ascending')

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const sort = columns.find(({ key }) => key === order?.key)?.sort
  if (!sort || !order) return rows
  const sign = order.direction === 'ascending' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [sort(a), sort(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return left < right ? -sign : left > right ? sign : 0
  })
}
