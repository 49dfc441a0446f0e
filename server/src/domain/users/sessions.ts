import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Session, Sessions } from '#ports/stores/sessions.ts'
import type { User, UserTokens } from '#ports/stores/users.ts'
import { Fault } from '../../fault.ts'
import { actorOf, circumstances, type Origin } from '../agents/manager.ts'
import { truncateAddress } from '../audit/truncate-address.ts'

type Needs = {
  readonly sessions: Sessions
  readonly tokens: Pick<UserTokens, 'issue'>
  readonly secrets: Pick<Secrets, 'newSessionId'>
  readonly clock: Clock
}

type Who = Parameters<UserTokens['issue']>[0]
type Issued = Awaited<ReturnType<UserTokens['issue']>>

/** From where, and whether with a second factor. */
type SignedIn = Origin & { readonly hasFactor: boolean }

/** Issues a token that names a session, once the session is stored. */
export function beginSession({ sessions, tokens, secrets, clock }: Needs) {
  return async (who: Who, { hasFactor, ...origin }: SignedIn): Promise<Issued> => {
    const id = secrets.newSessionId()
    const createdAt = clock.now()
    const issued = await tokens.issue(who, { id, hasFactor })
    const expiresAt = createdAt + issued.expiresInSeconds * 1_000
    const truncatedAddress = truncateAddress(origin.client)
    const actor = actorOf({ id: issued.userId, email: undefined, role: who.role })
    const record = { action: 'sign-in', ...circumstances(actor, origin, createdAt) } as const
    await sessions.begin({ id, userId: issued.userId, truncatedAddress, createdAt, expiresAt }, record)
    return issued
  }
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

/** Whether a token still stands: one of a sign-in only as long as its session is open. */
export function isStanding({ sessions, clock }: Pick<Needs, 'sessions' | 'clock'>) {
  return async ({ id, session }: User): Promise<boolean> =>
    session === undefined || sessions.isOpen(session.id, id, clock.now())
}

/** Admins change things only soon after they have signed in: a token that was stolen later changes nothing. */
export function refuseStaleAdmin({ role, session }: User, now: number, freshMs: number): Fault | undefined {
  if (role !== 'admin' || session === undefined || now < session.signedInAt + freshMs) return undefined
  return new Fault(
    'forbidden',
    `Admins change things within ${freshMs / 60_000} minutes of their sign-in. Sign in again.`,
    { fix: 'Sign in again and use the new token.', next: { method: 'POST', path: '/api/v1/auth/code' } },
  )
}
