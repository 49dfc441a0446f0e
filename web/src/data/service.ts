import { type Client, createClient, StakewrightError } from '@stakewright/client'
import { ROUTES } from '@stakewright/contract/routes'
import { session } from './account/session.ts'
import { createStore } from './store.ts'

/** Whether the service answers. `since` is when it was first missed. */
export type Reach = { readonly kind: 'here' } | { readonly kind: 'away'; readonly since: number }

export const reach = createStore<Reach>({ kind: 'here' })

/** The user token that the service has refused last: its session has ended, wherever that was done. */
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

/** Calls when the service answers again after it was missed. Returns how to stop that. */
export function onReturn(listener: () => void): () => void {
  let wasAway = reach.get().kind === 'away'
  return reach.subscribe(() => {
    const isAway = reach.get().kind === 'away'
    const isBack = wasAway && !isAway
    wasAway = isAway
    if (isBack) listener()
  })
}

const RETRY_MS = 2_000

/** The one way to the service: every call passes here, so that its absence is noticed by all pages at once. */
export async function call<T>(ask: (client: Client) => Promise<T>): Promise<T> {
  const { user } = session.get()
  try {
    const answer = await ask(client)
    reach.set({ kind: 'here' })
    return answer
  } catch (error) {
    if (isAway(error)) noteAway()
    else reach.set({ kind: 'here' })
    if (user && isTokenRefused(error)) refusedToken.set(user.token)
    throw error
  }
}

/** Keys and second factors are refused with the same code; only who needs a new token is led to signing in. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof StakewrightError &&
  error.code === 'unauthorized' &&
  error.next?.path === ROUTES.requestCode.path

/** No answer at all, or one from a proxy that reaches nobody. */
function isAway(error: unknown): boolean {
  if (!(error instanceof StakewrightError)) return false
  return error.code === 'unreachable' || error.status === 502 || error.status === 504
}

const REFUSED_MS = 5_000

/** When to ask again by itself after a refusal that passes: a limit, or a fault of the service. Undefined: never. */
export function retryMsOf(error: unknown): number | undefined {
  if (!(error instanceof StakewrightError) || isAway(error)) return undefined
  const isPassing = error.retryable || (error.status ?? 0) >= 500
  return isPassing ? (error.retryAfterSeconds ?? 0) * 1000 || REFUSED_MS : undefined
}

function noteAway(): void {
  if (reach.get().kind === 'away') return
  reach.set({ kind: 'away', since: Date.now() })
  const again = () => {
    call((service) => service.health()).catch((error) => {
      if (isAway(error)) setTimeout(again, RETRY_MS)
    })
  }
  setTimeout(again, RETRY_MS)
}
