import type { Client } from '@stakewright/client'
import { useLayoutEffect } from 'preact/hooks'
import { recent } from './recent.ts'
import { call, limitedMs, onReturn, reach, retryMsOf } from './service.ts'
import { createStore, type Store, useStore } from './store.ts'

/** The state of a query. Old data stay while a refresh is in flight or has failed. */
export type Loaded<T> = {
  readonly data: T | undefined
  /** When the data were last confirmed, also by a 304. */
  readonly at: number | undefined
  readonly error: unknown
}

export type Query<T> = {
  readonly key: string
  readonly ask: (client: Client) => Promise<T>
  /** Refresh interval while a page shows it. The client sends ETags, so unchanged data cost a 304. */
  readonly everyMs?: number
}

type Entry = {
  readonly state: Store<Loaded<unknown>>
  text: string | undefined
  /** When the service last confirmed the data; a confirmation alone does not re-render. */
  at: number | undefined
  asking: Promise<void> | undefined
  /** Whether the data may have changed: they are refreshed when they are next shown. */
  isStale: boolean
  /** Generation of the entry: answers to requests of an earlier generation are dropped. */
  generation: number
  users: number
  timer: ReturnType<typeof setTimeout> | undefined
  query: Query<unknown>
}

const entries = new Map<string, Entry>()
/** The number of entries that are kept in case the reader returns to their page. */
const MAX_ENTRIES = 200
const NOTHING: Loaded<never> = { data: undefined, at: undefined, error: undefined }

const entryOf = (query: Query<unknown>): Entry =>
  recent(entries, query.key, {
    make: () => newEntry(query),
    most: MAX_ENTRIES,
    isInUse: ({ users }) => users > 0,
  })

const newEntry = (query: Query<unknown>): Entry => ({
  state: createStore<Loaded<unknown>>(NOTHING),
  text: undefined,
  at: undefined,
  asking: undefined,
  isStale: false,
  generation: 0,
  users: 0,
  timer: undefined,
  query,
})

function refresh(entry: Entry): Promise<void> {
  if (entry.asking) return entry.asking
  const asking = ask(entry).finally(() => {
    if (entry.asking !== asking) return
    entry.asking = undefined
    schedule(entry)
  })
  entry.asking = asking
  return asking
}

async function ask(entry: Entry): Promise<void> {
  const { generation } = entry
  entry.isStale = false
  try {
    const data = await call(entry.query.ask)
    if (generation !== entry.generation) return
    const text = JSON.stringify(data)
    // Equal content keeps its identity, so an unchanged answer does not re-render.
    const before = entry.state.get()
    const isSame = text === entry.text && before.error === undefined
    entry.text = text
    entry.at = Date.now()
    if (!isSame) entry.state.set({ data, at: entry.at, error: undefined })
  } catch (error) {
    if (generation !== entry.generation) return
    entry.state.set({ ...entry.state.get(), at: entry.at, error })
  }
}

function schedule(entry: Entry): void {
  clearTimeout(entry.timer)
  const everyMs = retryMsOf(entry.state.get().error) ?? entry.query.everyMs
  // When the service is back, all queries are refreshed.
  if (everyMs === undefined || entry.users === 0 || reach.get().kind === 'away') return
  entry.timer = setTimeout(
    () => {
      if (document.visibilityState === 'visible' && limitedMs(Date.now()) === 0) void refresh(entry)
      else schedule(entry)
    },
    Math.max(everyMs, limitedMs(Date.now())),
  )
}

/** Subscribes to a query; `undefined` sends no request. */
export function useQuery<T>(query: Query<T> | undefined): Loaded<T> {
  const entry = query && entryOf(query)
  const state = useStore(entry?.state ?? EMPTY)
  // A layout effect, so that the request is in flight while the browser paints.
  useLayoutEffect(() => {
    if (!entry || !query) return
    entry.query = query
    entry.users += 1
    const { at } = entry
    if (at === undefined || entry.isStale || Date.now() - at > (query.everyMs ?? 0)) void refresh(entry)
    else schedule(entry)
    return () => {
      entry.users -= 1
      if (entry.users === 0) clearTimeout(entry.timer)
    }
  }, [entry])
  return toLoaded<T>(state)
}

const EMPTY = createStore<Loaded<unknown>>(NOTHING)

/** The cast holds because only the query with this key fills the entry. */
const toLoaded = <T>(state: Loaded<unknown>): Loaded<T> => state as Loaded<T>

/** Refreshes queries by the prefix of their key: now if a page shows them, otherwise when one does. */
export async function refreshQueries(prefix = ''): Promise<void> {
  const meant = [...entries.values()].filter(({ query }) => query.key.startsWith(prefix))
  for (const entry of meant) entry.isStale = true
  await Promise.all(meant.filter(({ users }) => users > 0).map(refreshAfter))
}

/** A request in flight may be older than the change: it is awaited, and then sent again. */
async function refreshAfter(entry: Entry): Promise<void> {
  await entry.asking
  if (entry.isStale) await refresh(entry)
}

/** Drops answers that belong to a credential; answers still in flight are ignored. */
export function forgetQueries(prefix: string): void {
  for (const [key, entry] of entries) {
    if (!key.startsWith(prefix)) continue
    entry.text = undefined
    entry.at = undefined
    entry.asking = undefined
    entry.generation += 1
    entry.state.set(NOTHING)
  }
}

onReturn(() => void refreshQueries())

/** A tab hidden for less than this is not refreshed: switching tabs must not use up the limit of requests. */
const MOMENT_MS = 5_000
let hiddenAt = Number.NEGATIVE_INFINITY
document.addEventListener('visibilitychange', () => {
  const now = Date.now()
  if (document.visibilityState === 'hidden') hiddenAt = now
  else if (now - hiddenAt >= MOMENT_MS && limitedMs(now) === 0) void refreshQueries()
})
