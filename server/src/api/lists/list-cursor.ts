import { hash } from 'node:crypto'
import { type EndpointName, ROUTES, type SortedListName, type SortedListSpec } from '@stakewright/contract'
import { Fault } from '../../fault.ts'

/** The value of a sort field. */
export type SortValue = string | number | boolean | null

/** The sort key of an item: the value, and the id as tie-break. */
export type Place = { readonly value: SortValue; readonly id: string }

/** A list, its filters and its order: a cursor is bound to these. */
type Sorting = {
  readonly list: SortedListName
  /** Hash of the list's name and filters. */
  readonly mark: string
  readonly field: string
  readonly order: 'asc' | 'desc'
  /** Whether the sort field of an item never changes, so that no item moves across a cursor. */
  readonly isSteady: boolean
  /** The epoch of the data. */
  readonly epoch: number | undefined
}

type Wanted = {
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** Everything else that decides which items the list has. */
  readonly filters: unknown
  readonly epoch?: number | undefined
}

export function sortingOf(list: SortedListName, spec: SortedListSpec, wanted: Wanted): Sorting {
  const { sort: field = spec.sortedBy, order = spec.sort[field] ?? 'asc', filters, epoch } = wanted
  const isSteady = field === spec.id || (spec.steady?.includes(field) ?? false)
  return { list, mark: markOf(list, filters), field, order, isSteady, epoch }
}

/** The cursor after `shown`, the items from the beginning of the list up to the end of the page. */
export function writeCursor(sorting: Sorting, shown: readonly Place[]): string {
  const { mark, field, order, isSteady, epoch = null } = sorting
  const last = shown.at(-1)
  const where = isSteady ? [last?.value, last?.id] : [shown.length, digestOf(shown), epoch]
  return cursorOf([mark, field, order, ...where])
}

type Compare = (a: Place, b: Place) => number

/**
 * The number of items before a cursor. Sorted by a steady field, the cursor is the sort key of the last item seen. By
 * any other field, items can move across the cursor and be skipped or repeated, so the cursor has a digest of the items
 * seen, and is refused if the items before it are others.
 */
export function countBefore(
  text: string,
  sorting: Sorting,
  sorted: readonly Place[],
  compare: Compare,
): number {
  const [mark, field, order, ...where] = partsOf(text)
  if (typeof mark !== 'string' || where.length < 2) throw badCursor(sorting.list, NO_CURSOR)
  if (mark !== sorting.mark)
    throw badCursor(sorting.list, 'belongs to another list or other filters; keep them from page to page')
  if (field !== sorting.field || order !== sorting.order) {
    throw badCursor(sorting.list, 'belongs to another `sort` or `order`; keep both from page to page')
  }
  if (sorting.isSteady) {
    const [value, id] = where
    if (!isSortValue(value) || typeof id !== 'string') throw badCursor(sorting.list, NO_CURSOR)
    const next = sorted.findIndex((place) => compare(place, { value, id }) > 0)
    return next < 0 ? sorted.length : next
  }
  const [count, digest, epoch] = where
  if (typeof count !== 'number' || !(count >= 0)) throw badCursor(sorting.list, NO_CURSOR)
  const before = sorted.slice(0, count)
  if (before.length !== count || digestOf(before) !== digest) throw movedItems(sorting, epoch)
  return count
}

/** Digest of the set of ids: their order and values may have changed. */
const digestOf = (places: readonly Place[]): string =>
  shortHash(
    places
      .map(({ id }) => id)
      .toSorted()
      .join(),
  )

/** Hash of a list's name and filters. */
export const markOf = (list: EndpointName, filters: unknown): string =>
  shortHash(JSON.stringify([list, filters]))

const shortHash = (text: string): string => hash('sha256', text, 'hex').slice(0, 16)

export const cursorOf = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

/** Empty for a text that is no cursor or is not in canonical form: each position has exactly one cursor. */
export function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) && cursorOf(parts) === text ? parts : []
  } catch {
    return []
  }
}

const isSortValue = (value: unknown): value is SortValue =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const NO_CURSOR = 'is not a `nextCursor` of this list'

function movedItems(sorting: Sorting, before: unknown): Fault {
  const { epoch } = sorting
  const hasPassed = Number.isSafeInteger(before) && epoch !== undefined && epoch !== before
  const change = hasPassed ? `the data changed (epoch ${Number(before)} is now ${epoch})` : 'the data changed'
  return badCursor(sorting.list, `cannot go on: ${change}, and items have moved between the pages`)
}

export function badCursor(list: EndpointName, problem: string): Fault {
  const { method, path } = ROUTES[list]
  const fix = 'Leave out `cursor` to begin at the first page.'
  const details = [{ field: 'cursor', message: problem }]
  const next = path.includes('{') ? undefined : { method, path }
  return new Fault('invalid_input', `\`cursor\` ${problem}. ${fix}`, { details, fix, next })
}
