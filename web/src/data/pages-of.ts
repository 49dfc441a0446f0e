import type { Client } from '@stakewright/client'
import { useRef } from 'preact/hooks'
import { type Loaded, type Query, useQuery } from './query.ts'
import { createStore, type Store, useStore } from './store.ts'

/** Items on a page: the most that the service gives at once. */
export const PAGE = 100
/** Pages that are read at once. */
const PAGES_AT_ONCE = 5
/** Items that are read at once; `readMore` reads as many again. */
export const AT_ONCE = PAGE * PAGES_AT_ONCE

export type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | null }

/** A page of a list whose items are `data`. */
export const toPage = <T>({
  data,
  nextCursor,
}: {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}): Page<T> => ({ items: data, nextCursor })

export type Cursor = { readonly limit: number; readonly cursor?: string }
/** A list as far as it was read. */
export type ListPart<T> = { readonly items: readonly T[]; readonly hasMore: boolean }

/** A list that comes in pages, as far as it was read, and a way to read on. */
export type PagedList<T> = Loaded<readonly T[]> & {
  /** Whether the list goes on behind what was read. */
  readonly hasMore: boolean
  /** Whether more was asked for and is on its way. */
  readonly isReading: boolean
  readonly readMore: () => void
}

export type ListQuery<T> = Omit<Query<ListPart<T>>, 'ask'> & {
  readonly read: (client: Client, cursor: Cursor) => Promise<Page<T>>
}

/** Reads pages one after the other, `most` at most. */
export async function readPages<T>(
  read: (cursor: Cursor) => Promise<Page<T>>,
  most: number,
): Promise<ListPart<T>> {
  const found: T[] = []
  let cursor: string | null = null
  for (let page = 0; page < most; page++) {
    const answer: Page<T> = await read({ limit: PAGE, ...(cursor !== null && { cursor }) })
    found.push(...answer.items)
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  return { items: found, hasMore: cursor !== null }
}

/** How far each list is read, in steps of `AT_ONCE`: the same for all parts of a page that show it. */
const depths = new Map<string, Store<number>>()

function depthOf(key: string): Store<number> {
  const depth = depths.get(key) ?? createStore(1)
  depths.set(key, depth)
  return depth
}

/**
 * Follows a list of the service. Once a reader has asked for more, it is not asked for again by the clock: each look
 * would cost many requests.
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
  // What was read stays while more is on its way.
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
