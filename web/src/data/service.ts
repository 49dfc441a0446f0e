import { type Client, createClient, StakewrightError } from '@stakewright/client'
import { ROUTES } from '@stakewright/contract/routes'
import { session } from './account/session.ts'
import { createStore } from './store.ts'

/** Whether the service is reachable. `since` is the time of the first failure. */
type Reach = { readonly kind: 'here' } | { readonly kind: 'away'; readonly since: number }

export const reach = createStore<Reach>({ kind: 'here' })

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
    reach.set({ kind: 'here' })
    return answer
  } catch (error) {
    if (isAway(error)) noteUnreachable()
    else reach.set({ kind: 'here' })
    if (user && isTokenRefused(error)) refusedToken.set(user.token)
    throw error
  }
}

/** A refused key or second factor has the same code; only a refused token ends the session. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof StakewrightError &&
  error.code === 'unauthorized' &&
  error.next?.path === ROUTES.requestCode.path

/** No answer, or a gateway error of a proxy. */
function isAway(error: unknown): boolean {
  if (!(error instanceof StakewrightError)) return false
  return error.code === 'unreachable' || error.status === 502 || error.status === 504
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
  probeUntilBack()
}

const FIRST_PROBE_MS = 2_000
const LONGEST_PROBE_MS = 8_000

/** Backs off, with jitter, so that a service that restarts does not meet all open tabs at once. */
async function probeUntilBack(): Promise<void> {
  for (let ms = FIRST_PROBE_MS; reach.get().kind === 'away'; ms = Math.min(2 * ms, LONGEST_PROBE_MS)) {
    await pause(ms * (0.5 + Math.random() / 2))
    await call((service) => service.health(undefined, { retries: 0 })).catch(() => undefined)
  }
}

/** Ends early when the network or the reader comes back. */
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
    document.addEventListener('visibilitychange', end, { signal: ending.signal })
  })
}
