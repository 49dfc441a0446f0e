import { type Reply, StakewrightError } from '@stakewright/client'
import { useEffect } from 'preact/hooks'
import { dropAllDrafts } from '../policy/stored-draft.ts'
import { forgetQueries } from '../query.ts'
import { call, refusedToken } from '../service.ts'
import { createStore, useStore } from '../store.ts'
import { changeSession, session, type User } from './session.ts'
import { hearTabs, tellTabs } from './tabs.ts'
import { dropAllUnstored } from './unstored-keys.ts'

/** Why the last session ended, if the page must say so. */
export type SessionEnd = 'by itself' | 'only here' | 'by enrolment'

export const sessionEnded = createStore<SessionEnd | undefined>(undefined)

/** Starts a session. Drops keys, codes and drafts that another user of the tab has left. */
export function beginSession(name: string, { accessToken, expiresIn }: Reply<'exchangeCode'>['data']): void {
  takeOver({ name, token: accessToken, expiresAt: Date.now() + expiresIn * 1000 })
}

function takeOver(user: User): void {
  if (session.get().lastUser !== user.name) dropAllOfUser()
  changeSession({ user, lastUser: undefined })
}

/** Timeout of the sign-out call. */
const SIGN_OUT_MS = 5_000

/**
 * Ends the session at the service, so that its token is refused everywhere. In any case forgets it locally, with
 * everything that the tab's next user must not see.
 */
export async function signOut(): Promise<void> {
  const { user } = session.get()
  const id = user && sessionIdOf(user)
  const isEnded =
    id === undefined ||
    (await call((client) => client.endSession({ id }, { retries: 0, timeoutMs: SIGN_OUT_MS })).then(
      () => true,
      // A refused token or an unknown session means that it has already ended.
      (error: unknown) =>
        error instanceof StakewrightError && (error.code === 'unauthorized' || error.code === 'not_found'),
    ))
  dropAllOfUser()
  forgetSession(isEnded ? undefined : 'only here')
  if (user) tellTabs({ kind: 'signed-out', token: user.token })
}

/** How long a new tab waits for the sign-in of another: nobody has typed a code by then. */
const ASKED_MS = 1_000

/** Takes over the sign-in of another tab, once, and follows a sign-out there. */
function followTabs(): void {
  const until = Date.now() + ASKED_MS
  hearTabs((message) => {
    const { user } = session.get()
    if (message.kind === 'who-is-signed-in' && user) tellTabs({ kind: 'signed-in', user })
    if (message.kind === 'signed-in' && !user && Date.now() < until) takeOver(message.user)
    if (message.kind === 'signed-out' && message.token === user?.token) {
      dropAllOfUser()
      forgetSession(undefined)
    }
  })
  if (!session.get().user) tellTabs({ kind: 'who-is-signed-in' })
}
followTabs()

function dropAllOfUser(): void {
  dropAllUnstored()
  dropAllDrafts()
}

/**
 * Forgets a session that the service has ended. Keeps new keys, recovery codes and drafts, because the same user
 * signs in again; `signOut` is for users who end their session.
 */
export const forgetUser = (end: 'by itself' | 'by enrolment'): void => forgetSession(end)

function forgetSession(end: SessionEnd | undefined): void {
  forgetQueries('user/')
  sessionEnded.set(end)
  changeSession({ user: undefined, lastUser: session.get().user?.name })
}

const endSession = (): void => forgetUser('by itself')

/** Ends the session whose token the service refused, in any call; a newer session is kept. */
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

/** Claims of the token, for display only: the service decides what is allowed. */
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
