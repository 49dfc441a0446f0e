import { StakewrightError } from '@stakewright/client'
import { useEffect } from 'preact/hooks'
import { forgetQueries } from '../query.ts'
import { call, refusedToken } from '../service.ts'
import { createStore, useStore } from '../store.ts'
import { changeSession, session, type User } from './session.ts'
import { dropAllUnstored } from './unstored-keys.ts'

/**
 * How the last session ended, where the page has to say so: by itself, here while the service did not answer, or
 * because a second factor was set up.
 */
export type SessionEnd = 'by itself' | 'only here' | 'by enrolment'

export const sessionEnded = createStore<SessionEnd | undefined>(undefined)

/** Longer than this nobody waits for a sign-out. */
const SIGN_OUT_MS = 5_000

/** Ends the session at the service, so that its token is refused everywhere, and forgets it here in any case. */
export async function signOut(): Promise<void> {
  const { user } = session.get()
  const id = user && sessionIdOf(user)
  const isEnded =
    id === undefined ||
    (await call((client) => client.endSession({ id }, { retries: 0, timeoutMs: SIGN_OUT_MS })).then(
      () => true,
      // A token that is refused already, or a session that is not there, has ended.
      (error: unknown) =>
        error instanceof StakewrightError && (error.code === 'unauthorized' || error.code === 'not_found'),
    ))
  dropAllUnstored()
  forgetUser(isEnded ? undefined : 'only here')
}

/** Forgets a session that has ended at the service. */
export function forgetUser(end?: SessionEnd): void {
  forgetQueries('user/')
  sessionEnded.set(end)
  changeSession({ user: undefined })
}

const endSession = (): void => forgetUser('by itself')

/** A token that the service does not accept ends its session, whatever was asked with it; a later session goes on. */
function followRefusals(): void {
  const { user } = session.get()
  if (user && user.token === refusedToken.get()) endSession()
}
refusedToken.subscribe(followRefusals)
followRefusals()

/** The signed-in user; `undefined` once the token has expired. */
export function useUser(): User | undefined {
  const { user } = useStore(session)
  useEffect(() => {
    if (!user) return
    const timer = setTimeout(endSession, Math.min(user.expiresAt - Date.now(), 2 ** 31 - 1))
    return () => clearTimeout(timer)
  }, [user])
  return user
}

/** What the token says of its user. Only for what is shown: the service decides what is allowed. */
export const isAdmin = ({ token }: User): boolean => claimOf(token, 'role') === 'admin'

/** Undefined for a token of another issuer, which has no session here. */
function sessionIdOf({ token }: User): string | undefined {
  const id = claimOf(token, 'sid')
  return typeof id === 'string' ? id : undefined
}

function claimOf(token: string, name: string): unknown {
  try {
    const part = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
    return new Map(Object.entries(claims ?? {})).get(name)
  } catch {
    return undefined
  }
}
