import { StakewrightError } from '@stakewright/client'
import { useEffect } from 'preact/hooks'
import { forgetQueries, type Loaded } from '../query.ts'
import { createStore, useStore } from '../store.ts'
import { changeSession, session, type User } from './session.ts'

/** Whether the last session ended by itself, so that the page can say so. */
export const sessionEnded = createStore(false)

export function signOut(): void {
  forgetQueries('user/')
  sessionEnded.set(false)
  changeSession({ user: undefined })
}

function endSession(): void {
  forgetQueries('user/')
  sessionEnded.set(true)
  changeSession({ user: undefined })
}

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

/** A token that the service does not accept ends the session. */
export function useSessionEnd(...answers: readonly Loaded<unknown>[]): void {
  const refused = answers.some(
    ({ error }) => error instanceof StakewrightError && error.code === 'unauthorized',
  )
  useEffect(() => {
    if (refused && session.get().user) endSession()
  }, [refused])
}

/** What the token says of its user. Only for what is shown: the service decides what is allowed. */
export function isAdmin({ token }: User): boolean {
  try {
    const part = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null && 'role' in claims && claims.role === 'admin'
  } catch {
    return false
  }
}
