import type { EndpointName } from '@stakewright/contract'
import { badCursor, cursorOf, markOf, partsOf } from './list-cursor.ts'

/** Inputs that may change from page to page. */
const FREE = ['cursor', 'limit', 'fields', 'view']

type StoreCursor = {
  /** The position from which the store continues; undefined: the beginning. */
  readonly place: string | undefined
  /** The cursor of a position; null: the list has ended. */
  readonly at: (place: string | null | undefined) => string | null
}

/**
 * The cursor of a list that the store pages: a position in the store, bound to the list and to all inputs except those
 * in `FREE`. With other filters the same position would silently skip items.
 */
export function storeCursor(
  list: EndpointName,
  input: { readonly cursor?: string | undefined; readonly [filter: string]: unknown },
): StoreCursor {
  const mark = markOf(
    list,
    Object.entries(input).filter(([name, value]) => !FREE.includes(name) && value !== undefined),
  )
  return { place: input.cursor === undefined ? undefined : placeIn(input.cursor, list, mark), at }

  function at(place: string | null | undefined): string | null {
    return place === null || place === undefined ? null : cursorOf([mark, place])
  }
}

/** The form of a position: an id or numbers. Other text of the caller never reaches the store. */
const PLACE = /^[\w.]{1,100}$/

function placeIn(text: string, list: EndpointName, mark: string): string {
  const [of, place, ...more] = partsOf(text)
  if (typeof of !== 'string' || typeof place !== 'string' || !PLACE.test(place) || more.length > 0)
    throw badCursor(list, 'is not a `nextCursor` of this list')
  if (of !== mark)
    throw badCursor(list, 'belongs to another list or other filters; keep them from page to page')
  return place
}
