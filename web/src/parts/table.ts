import { useState } from 'preact/hooks'
import { html, type View } from './html.ts'

export type Column<Row> = {
  readonly key: string
  readonly head: string
  readonly cell: (row: Row, index: number) => View
  /** By what a click on the head sorts. Rows without a value come last either way. */
  readonly sort?: (row: Row) => number | string | null
  /** What the first click on the head shows first. */
  readonly first?: 'ascending' | 'descending'
  readonly align?: 'end'
  /** Left out on a phone. */
  readonly phone?: 'hide'
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

/** A table whose head sorts it. With `onOrder` the order is kept by the caller, say in the address. */
export function Table<Row>({ label, columns, rows, rowKey, order, onOrder }: Props<Row>): View {
  const [own, setOwn] = useState<Order | undefined>(order)
  const current = onOrder ? order : own
  const change = onOrder ?? setOwn
  const sorted = sortRows(rows, columns, current)
  return html`<div class="table-wrap" tabindex="0" role="region" aria-label=${`${label}, table`}>
    <table class="table">
      <caption class="visually-hidden">${label}</caption>
      <thead><tr>${columns.map((column) => headCell(column, current, change))}</tr></thead>
      <tbody>${sorted.map(
        (row, index) =>
          html`<tr key=${rowKey(row)}>${columns.map(
            (column) =>
              html`<td data-align=${column.align} data-phone=${column.phone}>${column.cell(row, index)}</td>`,
          )}</tr>`,
      )}</tbody>
    </table>
  </div>`
}

function headCell<Row>(column: Column<Row>, order: Order | undefined, change: (order: Order) => void): View {
  const { key, head, sort, first = 'descending', align, phone } = column
  if (!sort) return html`<th scope="col" data-align=${align} data-phone=${phone}><span>${head}</span></th>`
  const isCurrent = order?.key === key
  const next = isCurrent ? opposite(order.direction) : first
  const arrow = isCurrent ? (order.direction === 'ascending' ? '↑' : '↓') : ''
  return html`<th scope="col" data-align=${align} data-phone=${phone} aria-sort=${isCurrent ? order.direction : undefined}>
    <button type="button" onClick=${() => change({ key, direction: next })}>${head}<span class="arrow" aria-hidden="true">${arrow}</span></button>
  </th>`
}

const opposite = (direction: Order['direction']) => (direction === 'ascending' ? 'descending' : 'ascending')

export function sortRows<Row>(
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
