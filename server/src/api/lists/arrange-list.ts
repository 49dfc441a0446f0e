import { LIMITS, type ListSpec, type SortedListSpec } from '@stakewright/contract'
import type { Answer, ListPart } from '../answer.ts'
import { type CursorPosition, readCursor, type SortValue, sortingOf, writeCursor } from './list-cursor.ts'

export type Item = Readonly<Record<string, unknown>>

export type FieldChoice = {
  readonly fields?: readonly string[] | undefined
  readonly view?: 'full' | 'compact' | undefined
}

type ListRequest = FieldChoice & {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** Whose list it is, where everybody has another one: a cursor of somebody else is refused. */
  readonly owner?: string | undefined
}

type ListPage = {
  readonly items: readonly Item[]
  readonly total: number
  readonly nextCursor: string | null
  readonly part: ListPart
}

/** Sorts a whole list, and gives the page and the fields that are asked for. */
export function arrangeList(all: readonly Item[], list: SortedListSpec, request: ListRequest): ListPage {
  const sorting = sortingOf(list, request)
  const positionOf = (item: Item): CursorPosition => ({
    value: toSortValue(item[sorting.field]),
    id: String(item[list.id]),
  })
  const placed = all.map((item) => ({ item, place: positionOf(item) }))
  const compare = comparePositions(
    sorting.order,
    placed.every(({ place }) => isAmount(place.value)),
  )
  const sorted = placed.toSorted((a, b) => compare(a.place, b.place))
  const after = request.cursor === undefined ? undefined : readCursor(request.cursor, sorting)
  const rest = after ? sorted.filter(({ place }) => compare(place, after) > 0) : sorted
  const limit = request.limit ?? (after ? LIMITS.pageSize.default : rest.length)
  const page = rest.slice(0, limit)
  const cursorAfter = (count: number): string => {
    const last = page[count - 1]
    if (last === undefined) throw new Error(`the page has ${page.length} items, not ${count}`)
    return writeCursor(sorting, last.place)
  }
  return {
    items: page.map(({ item }) => pickFields(item, list, request)),
    total: all.length,
    nextCursor: page.length > 0 && rest.length > page.length ? cursorAfter(page.length) : null,
    part: { items: list.items, rest: rest.length, cursorAfter },
  }
}

/** An answer with a whole list: as it is, or the page and the fields that are asked for. */
export function arrangeReply(body: Item, list: SortedListSpec, request: ListRequest): Answer {
  if (isPlain(request)) return { body }
  const all = body[list.items]
  const { items, part, ...page } = arrangeList(Array.isArray(all) ? all : [], list, request)
  return { body: { ...body, [list.items]: items, ...page }, part }
}

/** The fields that are asked for; a choice of names wins over a view. */
export function pickFields(item: Item, list: ListSpec, { fields, view }: FieldChoice): Item {
  const names = fields ?? (view === 'compact' ? list.compact : undefined)
  return names ? Object.fromEntries(names.map((name) => [name, item[name]])) : item
}

/** The same for the list of a reply that is sorted and paged already. */
export function selectFields<Body extends object>(body: Body, list: ListSpec, choice: FieldChoice): Body {
  if (choice.fields === undefined && choice.view !== 'compact') return body
  const items = (body as Item)[list.items]
  if (!Array.isArray(items)) return body
  return { ...body, [list.items]: items.map((item: Item) => pickFields(item, list, choice)) }
}

/** Whether nothing is asked for but the list as it is. */
export function isPlain(request: object): boolean {
  for (const _ in request) return false
  return true
}

/** Equal values are in the order of their ids; unknown ones come last, whatever the order. */
function comparePositions(order: 'asc' | 'desc', areAmounts: boolean) {
  const sign = order === 'asc' ? 1 : -1
  return (a: CursorPosition, b: CursorPosition): number => {
    if (a.value === null || b.value === null) {
      const byKnown = Number(a.value === null) - Number(b.value === null)
      return byKnown || compareTexts(a.id, b.id)
    }
    return sign * compareValues(a.value, b.value, areAmounts) || compareTexts(a.id, b.id)
  }
}

function compareValues(a: NonNullable<SortValue>, b: NonNullable<SortValue>, areAmounts: boolean): number {
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b)
  return (areAmounts && a.length - b.length) || compareTexts(a, b)
}

/** Amounts are texts of digits, of which the longer one is the larger. Null is no reason against it. */
const isAmount = (value: SortValue): boolean =>
  value === null || (typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value))

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function toSortValue(value: unknown): SortValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
