import {
  ENDPOINTS,
  LIMITS,
  type ListSpec,
  type SortedListName,
  type SortedListSpec,
} from '@stakewright/contract'
import type { Answer, ListPart } from '../answer.ts'
import { countBefore, type Place, type SortValue, sortingOf, writeCursor } from './list-cursor.ts'

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
  /** Filters; a cursor is bound to them. */
  readonly [filter: string]: unknown
}

type ListOrigin = {
  /** Everything beside the request's filters that decides which items the list has. */
  readonly of?: unknown
  /** The epoch of the data. */
  readonly epoch?: number | undefined
}

type ListPage = {
  readonly items: readonly Item[]
  readonly total: number
  readonly nextCursor: string | null
  readonly part: ListPart
}

/** Sorts a whole list and returns the requested page and fields. */
export function arrangeList(
  all: readonly Item[],
  name: SortedListName,
  request: ListRequest,
  { of, epoch }: ListOrigin = {},
): ListPage {
  const { limit: most, cursor, sort, order, fields, view, ...own } = request
  const list: SortedListSpec = ENDPOINTS[name].list
  const sorting = sortingOf(name, list, { sort, order, filters: [own, of], epoch })
  const placed = all.map((item) => ({ item, place: placeOf(item, sorting.field, list.id) }))
  const compare = comparePlaces(
    sorting.order,
    placed.every(({ place }) => isAmount(place.value)),
  )
  const sorted = placed.toSorted((a, b) => compare(a.place, b.place))
  const places = sorted.map(({ place }) => place)
  const start = cursor === undefined ? 0 : countBefore(cursor, sorting, places, compare)
  const rest = sorted.length - start
  const page = sorted.slice(start, start + (most ?? (cursor === undefined ? rest : LIMITS.pageSize.default)))
  const cursorAfter = (count: number): string => writeCursor(sorting, places.slice(0, start + count))
  return {
    items: page.map(({ item }) => pickFields(item, list, { fields, view })),
    total: all.length,
    nextCursor: page.length > 0 && rest > page.length ? cursorAfter(page.length) : null,
    part: { items: list.items, rest, cursorAfter },
  }
}

const placeOf = (item: Item, field: string, id: string): Place => ({
  value: toSortValue(item[field]),
  id: String(item[id]),
})

/** Sorts and pages the list of a reply; without parameters the body is returned unchanged. */
export function arrangeReply(body: Item, name: SortedListName, request: ListRequest, of?: unknown): Answer {
  if (isPlain(request)) return { body }
  const { [ENDPOINTS[name].list.items]: all, epoch } = body
  const origin = { of, epoch: typeof epoch === 'number' ? epoch : undefined }
  const { items, part, ...page } = arrangeList(Array.isArray(all) ? all : [], name, request, origin)
  return { body: { ...body, [part.items]: items, ...page }, part }
}

/** The requested fields; `fields` takes precedence over `view`. */
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

/** Whether the request has no parameters. */
export function isPlain(request: object): boolean {
  for (const _ in request) return false
  return true
}

/** Ties are broken by id; unknown values come last in both orders. */
function comparePlaces(order: 'asc' | 'desc', areAmounts: boolean) {
  const sign = order === 'asc' ? 1 : -1
  return (a: Place, b: Place): number => {
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

/** Amounts are strings of digits: the longer one is larger. Null, an unknown amount, is accepted as well. */
const isAmount = (value: SortValue): boolean =>
  value === null || (typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value))

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function toSortValue(value: unknown): SortValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
