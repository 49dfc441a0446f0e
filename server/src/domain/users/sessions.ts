import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionToRecord } from '#ports/stores/agent-actions.ts'
import type { Session, Sessions } from '#ports/stores/sessions.ts'
import type { SessionIssuer, User, UserTokens } from '#ports/stores/users.ts'
import { Fault } from '../../fault.ts'
import { actorOf, circumstances, OPERATOR, type Origin } from '../agents/manager.ts'

type Needs = {
  readonly sessions: Sessions
  readonly tokens: Pick<UserTokens, 'issue'>
  readonly secrets: Pick<Secrets, 'newSessionId'>
  readonly clock: Clock
}

type TokenSubject = Parameters<UserTokens['issue']>[0]
type Issued = Awaited<ReturnType<UserTokens['issue']>>

/** From where, and whether with a second factor. */
type SignedIn = Origin & { readonly hasFactor: boolean }

/** Issues a token that names a session, once the session is stored. */
export function beginSession(needs: Needs) {
  return (subject: TokenSubject, { hasFactor, ...origin }: SignedIn): Promise<Issued> =>
    storeSession(needs, subject, {
      hasFactor,
      issuedBy: 'sign-in',
      record: ({ userId }, at) => ({
        action: 'sign-in',
        ...circumstances(actorOf({ id: userId, email: undefined, role: subject.role }), origin, at),
      }),
    })
}

/** A token that the operator makes on the machine of the service, without a sign-in. */
export function issueToken(needs: Needs) {
  return (email: string): Promise<Issued & { readonly sessionId: string }> =>
    storeSession(
      needs,
      { email, role: 'admin' },
      {
        hasFactor: false,
        issuedBy: 'operator',
        record: (_, at) => ({
          action: 'issue-token',
          ...circumstances(OPERATOR, { client: 'localhost', via: 'cli' }, at),
        }),
      },
    )
}

type NewSession = {
  readonly hasFactor: boolean
  readonly issuedBy: SessionIssuer
  readonly record: (issued: Issued, at: number) => ActionToRecord
}

async function storeSession(
  { sessions, tokens, secrets, clock }: Needs,
  subject: TokenSubject,
  { hasFactor, issuedBy, record }: NewSession,
): Promise<Issued & { readonly sessionId: string }> {
  const id = secrets.newSessionId()
  const createdAt = clock.now()
  const issued = await tokens.issue(subject, { id, hasFactor, issuedBy })
  const recorded = record(issued, createdAt)
  const { truncatedAddress } = recorded
  const expiresAt = createdAt + issued.expiresInSeconds * 1_000
  await sessions.begin(
    { id, userId: issued.userId, issuedBy, truncatedAddress, createdAt, expiresAt },
    recorded,
  )
  return { ...issued, sessionId: id }
}

export type BeginSession = ReturnType<typeof beginSession>

export function listSessions({ sessions, clock }: Pick<Needs, 'sessions' | 'clock'>) {
  return (user: User): Promise<readonly Session[]> => sessions.list(user.id, clock.now())
}

export function endSession({ sessions, clock }: Pick<Needs, 'sessions' | 'clock'>) {
  return async (user: User, id: string, origin: Origin): Promise<void> => {
    const now = clock.now()
    const record = { action: 'end-session', ...circumstances(actorOf(user), origin, now) } as const
    if (await sessions.end(id, user.id, now, record)) return
    throw new Fault(
      'not_found',
      'You have no open session with this id. GET /api/v1/auth/sessions lists those you have.',
    )
  }
}

/** Whether a token is still valid: a token of a sign-in is, while its session is open. */
export function isTokenStillValid({ sessions, clock }: Pick<Needs, 'sessions' | 'clock'>) {
  return async ({ id, session }: User): Promise<boolean> =>
    session === undefined || sessions.isOpen(session.id, id, clock.now())
}

/** Admin writes need a recent sign-in, so that a token stolen later cannot make them. */
export function refuseStaleAdmin({ role, session }: User, now: number, freshMs: number): Fault | undefined {
  if (role !== 'admin' || session === undefined || now < session.signedInAt + freshMs) return undefined
  const minutes = freshMs / 60_000
  if (session.issuedBy === 'operator') {
    const fix = 'Make a new token on the machine of the service: stakewright admin token.'
    return new Fault('forbidden', `A token changes things within ${minutes} minutes. ${fix}`, { fix })
  }
  return new Fault(
    'forbidden',
    `Admins change things within ${minutes} minutes of their sign-in. Sign in again.`,
    { fix: 'Sign in again and use the new token.', next: { method: 'POST', path: '/api/v1/auth/code' } },
  )
}
