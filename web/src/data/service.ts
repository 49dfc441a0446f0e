import { type Client, createClient, StakewrightError } from '@stakewright/client'
import { session } from './account/session.ts'
import { createStore } from './store.ts'

/** Whether the service is reachable. `since` is the time of the first failure. */
type Reach = { readonly kind: 'here' } | { readonly kind: 'away'; readonly since: number }

export const reach = createStore<Reach>({ kind: 'here' })

/** Until when the service refuses requests of this address (429); `undefined`: it accepts them. */
export const limited = createStore<number | undefined>(undefined)

/** The last user token that the service refused: its session was ended, here or elsewhere. */
export const refusedToken = createStore<string | undefined>(undefined)

let client = connect()
session.subscribe(() => {
  client = connect()
})

function connect(): Client {
  const { apiKey, user } = session.get()
  return createClient({
    baseUrl: location.origin,
    ...(apiKey !== undefined && { apiKey }),
    ...(user !== undefined && { token: user.token }),
  })
}

/** Calls back when the service is reachable again. Returns the unsubscribe function. */
export function onReturn(listener: () => void): () => void {
  let wasAway = reach.get().kind === 'away'
  return reach.subscribe(() => {
    const isAway = reach.get().kind === 'away'
    const isBack = wasAway && !isAway
    wasAway = isAway
    if (isBack) listener()
  })
}

/** All calls to the service pass here, so that every page notices an outage at once. */
export async function call<T>(ask: (client: Client) => Promise<T>): Promise<T> {
  const { user } = session.get()
  try {
    const answer = await ask(client)
    noteAnswer()
    return answer
  } catch (error) {
    if (isAway(error)) noteUnreachable()
    else noteAnswer()
    noteLimit(error)
    if (user && isTokenRefused(error)) refusedToken.set(user.token)
    throw error
  }
}

/** A refused key or second factor has the same code; only a refused token ends the session. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof StakewrightError &&
  error.code === 'unauthorized' &&
  error.details.some(({ field }) => field === 'Authorization')

/** No answer, or a gateway error of a proxy. The service itself says `timeout` with a request id. */
function isAway(error: unknown): boolean {
  if (!(error instanceof StakewrightError)) return false
  const isOfProxy = error.requestId === undefined && (error.status === 502 || error.status === 504)
  return error.code === 'unreachable' || isOfProxy
}

const REFUSED_MS = 5_000

/** The delay of an automatic retry after a limit or a failure of the service. Undefined: no retry. */
export function retryMsOf(error: unknown): number | undefined {
  if (!(error instanceof StakewrightError) || isAway(error)) return undefined
  const isPassing = error.retryable || (error.status ?? 0) >= 500
  return isPassing ? (error.retryAfterSeconds ?? 0) * 1000 || REFUSED_MS : undefined
}

function noteUnreachable(): void {
  if (reach.get().kind === 'away') return
  reach.set({ kind: 'away', since: Date.now() })
  void probeUntilBack()
}

/** During an outage an answer may come from the browser's cache: only a probe, which no cache answers, ends it. */
function noteAnswer(): void {
  if (reach.get().kind === 'away') probeNow.dispatchEvent(new Event('now'))
}
const probeNow = new EventTarget()

/** A limit per minute ends within a minute. A longer wait is due to another limit, which does not stop refreshes. */
const LONGEST_LIMIT_MS = 60_000

/** The remaining time of a limit per minute, if the error is its refusal; undefined for any other error. */
function limitMsOf(error: unknown): number | undefined {
  if (!(error instanceof StakewrightError) || error.status !== 429) return undefined
  const ms = (error.retryAfterSeconds ?? 0) * 1000
  return ms === 0 || ms > LONGEST_LIMIT_MS ? undefined : ms
}

/** Whether the limit per minute was the reason. It affects all parts of a page and ends by itself. */
export const isByLimit = (error: unknown): boolean => limitMsOf(error) !== undefined

function noteLimit(error: unknown): void {
  const ms = limitMsOf(error)
  if (ms === undefined) return
  const until = Math.max(limited.get() ?? 0, Date.now() + ms)
  limited.set(until)
  setTimeout(() => limited.get() === until && limited.set(undefined), until - Date.now())
}

/** How long automatic requests must wait. */
export const limitedMs = (now: number): number => Math.max(0, (limited.get() ?? 0) - now)

const FIRST_PROBE_MS = 2_000
const LONGEST_PROBE_MS = 8_000

/** Backs off, with jitter, so that a service that restarts does not meet all open tabs at once. */
async function probeUntilBack(): Promise<void> {
  for (let ms = FIRST_PROBE_MS; reach.get().kind === 'away'; ms = Math.min(2 * ms, LONGEST_PROBE_MS)) {
    await pause(ms * (0.5 + Math.random() / 2))
    await client.health(undefined, { retries: 0 }).then(
      () => reach.set({ kind: 'here' }),
      (error: unknown) => isAway(error) || reach.set({ kind: 'here' }),
    )
  }
}

/** Ends early when the network or the user comes back, or when another call was answered. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const ending = new AbortController()
    const end = () => {
      ending.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    for (const event of ['online', 'focus']) addEventListener(event, end, { signal: ending.signal })
    probeNow.addEventListener('now', end, { signal: ending.signal })
    document.addEventListener('visibilitychange', end, { signal: ending.signal })
  })
}
