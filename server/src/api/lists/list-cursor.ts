import { hash } from 'node:crypto'
import type { SortedListSpec } from '@stakewright/contract'
import { Fault } from '../../fault.ts'

/** A value of an item that lists are sorted by. */
export type SortValue = string | number | boolean | null

/** The place after an item. It holds when items come, go or change, because it names values and no position. */
export type CursorPosition = { readonly value: SortValue; readonly id: string }

/** How a list is sorted, and whose it is where everybody has another one. A cursor belongs to both. */
type Sorting = {
  readonly field: string
  readonly order: 'asc' | 'desc'
  readonly owner?: string | undefined
}

export const writeCursor = ({ field, order, owner }: Sorting, { value, id }: CursorPosition): string =>
  Buffer.from(JSON.stringify([field, order, value, id, ...markOf(owner)])).toString('base64url')

export function readCursor(text: string, { field, order, owner }: Sorting): CursorPosition {
  const [itsField, itsOrder, value, id, ...mark] = partsOf(text)
  if (!isSortValue(value) || typeof id !== 'string' || mark.join() !== markOf(owner).join())
    throw badCursor('is not a `nextCursor` of this list')
  if (itsField !== field || itsOrder !== order) {
    throw badCursor('belongs to another `sort` or `order`; keep both from page to page')
  }
  return { value, id }
}

/** Enough to tell owners apart, without their whole addresses in each cursor. */
const markOf = (owner: string | undefined): readonly string[] =>
  owner === undefined ? [] : [hash('sha256', owner, 'hex').slice(0, 16)]

type Wanted = {
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly owner?: string | undefined
}

export const sortingOf = (list: SortedListSpec, { sort = list.sortedBy, order, owner }: Wanted): Sorting => ({
  field: sort,
  order: order ?? list.sort[sort] ?? 'asc',
  owner,
})

function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

const isSortValue = (value: unknown): value is SortValue =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const badCursor = (problem: string) => {
  const fix = 'Leave out `cursor` to begin at the first page.'
  const details = [{ field: 'cursor', message: problem }]
  return new Fault('invalid_input', `\`cursor\` ${problem}. ${fix}`, { details, fix })
}
