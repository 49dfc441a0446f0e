import type { Client } from '@stakewright/client'
import { useRef } from 'preact/hooks'
import { type Loaded, type Query, useQuery } from '../query.ts'
import { recent } from '../recent.ts'
import { createStore, type Store, useStore } from '../store.ts'
import { type Cursor, type ListPart, PAGE, type Page, readPages } from './read-pages.ts'

/** Pages read per step. */
const PAGES_AT_ONCE = 5
/** Items per step; `readMore` reads another step. */
export const AT_ONCE = PAGE * PAGES_AT_ONCE

/** The part of a paged list that was read so far, with a way to read more. */
export type PagedList<T> = Loaded<readonly T[]> & {
  /** Whether the list has more items. */
  readonly hasMore: boolean
  /** Whether more items are being read. */
  readonly isReading: boolean
  readonly readMore: () => void
}

type ListQuery<T> = Omit<Query<ListPart<T>>, 'ask'> & {
  readonly read: (client: Client, cursor: Cursor) => Promise<Page<T>>
}

/** Steps of `AT_ONCE` read of each list, shared by all components that show it. */
const depths = new Map<string, Store<number>>()
/** More than any page shows. */
const MAX_DEPTHS = 200

const depthOf = (key: string): Store<number> =>
  recent(depths, key, { make: () => createStore(1), most: MAX_DEPTHS })

/**
 * Subscribes to a list. After `readMore` it is no longer refreshed by a timer, because each refresh would cost many
 * requests.
 */
export function usePagedList<T>(query: ListQuery<T> | undefined): PagedList<T> {
  const store = depthOf(query?.key ?? '')
  const depth = useStore(store)
  const asked: Query<ListPart<T>> | undefined = query && {
    key: depth === 1 ? query.key : `${query.key} ×${depth}`,
    ask: (client) => readPages((cursor) => query.read(client, cursor), depth * PAGES_AT_ONCE),
    ...(depth === 1 && query.everyMs !== undefined && { everyMs: query.everyMs }),
  }
  const loaded = useQuery(asked)
  // Keeps showing the items read so far while more are being read.
  const last = useRef<{ key: string | undefined; part: ListPart<T> | undefined }>({
    key: undefined,
    part: undefined,
  })
  if (last.current.key !== query?.key) last.current = { key: query?.key, part: undefined }
  if (loaded.data) last.current.part = loaded.data
  const part = loaded.data ?? (depth > 1 ? last.current.part : undefined)
  return {
    data: part?.items,
    at: loaded.at,
    error: loaded.error,
    hasMore: part?.hasMore ?? false,
    isReading: part !== undefined && loaded.data === undefined && loaded.error === undefined,
    readMore: () => store.set(depth + 1),
  }
}
