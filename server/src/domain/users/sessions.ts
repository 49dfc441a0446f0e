import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionToRecord } from '#ports/stores/agent-actions.ts'
import type { NewSession, Session, SessionIssuer, Sessions } from '#ports/stores/sessions.ts'
import type { User, UserTokens } from '#ports/stores/users.ts'
import { call, type Fault, refusal } from '../../fault.ts'
import { actorOf, circumstances, OPERATOR, type Origin } from '../agents/manager.ts'

type Needs = {
  readonly sessions: Sessions
  readonly tokens: Pick<UserTokens, 'issue'>
  readonly secrets: Pick<Secrets, 'newSessionId'>
  readonly clock: Clock
  /** The limit of open sessions of one user. */
  readonly most: number
}

type TokenSubject = Parameters<UserTokens['issue']>[0]
type Issued = Awaited<ReturnType<UserTokens['issue']>>

/** A session that is not stored yet, with two tokens; one of them is returned once the session is stored. */
type PreparedSession = NewSession & {
  readonly issued: Issued
  /** For a sign-in with a second factor. */
  readonly issuedWithFactor: Issued
}

/** Prepares a session before the proof is redeemed, so that redeeming and storing the session are one commit. */
export function prepareSession(needs: Omit<Needs, 'sessions'>) {
  return async (subject: TokenSubject, origin: Origin): Promise<PreparedSession> => {
    const id = needs.secrets.newSessionId()
    const issue = (hasFactor: boolean) => needs.tokens.issue(subject, { id, hasFactor, issuedBy: 'sign-in' })
    const issued = await issue(false)
    const at = needs.clock.now()
    const user = actorOf({ id: issued.userId, email: undefined, role: subject.role })
    const record = { action: 'sign-in', ...circumstances(user, origin, at) } as const
    const session = toSession(id, issued, 'sign-in', record)
    return { session, record, most: needs.most, issued, issuedWithFactor: await issue(true) }
  }
}

export type PrepareSession = ReturnType<typeof prepareSession>

/** Issues an admin token by a command on the service's machine, without a sign-in. */
export function issueToken({ sessions, tokens, secrets, clock, most }: Needs) {
  return async (email: string): Promise<Issued & { readonly sessionId: string }> => {
    const id = secrets.newSessionId()
    const by = { id, hasFactor: false, issuedBy: 'operator' } as const
    const issued = await tokens.issue({ email, role: 'admin' }, by)
    const origin = { client: 'localhost', via: 'cli' } as const
    const record = { action: 'issue-token', ...circumstances(OPERATOR, origin, clock.now()) } as const
    await sessions.begin({ session: toSession(id, issued, 'operator', record), record, most })
    return { ...issued, sessionId: id }
  }
}

const toSession = (
  id: string,
  { userId, expiresInSeconds }: Issued,
  issuedBy: SessionIssuer,
  { truncatedAddress, at }: ActionToRecord,
): Session => ({
  id,
  userId,
  issuedBy,
  truncatedAddress,
  createdAt: at,
  expiresAt: at + expiresInSeconds * 1_000,
})

export function listSessions({ sessions, clock }: Pick<Needs, 'sessions' | 'clock'>) {
  return (user: User): Promise<readonly Session[]> => sessions.list(user.id, clock.now())
}

export function endSession({ sessions, clock }: Pick<Needs, 'sessions' | 'clock'>) {
  return async (user: User, id: string, origin: Origin): Promise<void> => {
    const now = clock.now()
    const record = { action: 'end-session', ...circumstances(actorOf(user), origin, now) } as const
    if (await sessions.end(id, user.id, now, record)) return
    throw refusal(
      'not_found',
      'You have no open session with this id.',
      `${call('listSessions')} lists those you have.`,
      { next: { endpoint: 'listSessions' } },
    )
  }
}

/** Whether a token is still valid: one with a session is while the session is open; others end by their issuer. */
export function isTokenStillValid({ sessions, clock }: Pick<Needs, 'sessions' | 'clock'>) {
  return async ({ id, session }: User): Promise<boolean> =>
    session === undefined || sessions.isOpen(session.id, id, clock.now())
}

/** Admin writes need a recent sign-in, so that a token stolen later cannot make them. */
export function refuseStaleAdmin({ role, session }: User, now: number, freshMs: number): Fault | undefined {
  if (role !== 'admin' || session === undefined || now < session.signedInAt + freshMs) return undefined
  const minutes = freshMs / 60_000
  if (session.issuedBy === 'operator') {
    return refusal(
      'forbidden',
      `An operator token can change things only in its first ${minutes} minutes.`,
      'Make a new token on the machine of the service: stakewright admin token.',
    )
  }
  return refusal(
    'forbidden',
    `Admins can change things only in the first ${minutes} minutes after their sign-in.`,
    'Sign in again and use the new token.',
    { next: { endpoint: 'requestCode' } },
  )
}
