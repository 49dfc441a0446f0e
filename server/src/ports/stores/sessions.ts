import type { ActionToRecord } from './agent-actions.ts'
import type { SessionIssuer } from './users.ts'

/** A sign-in, or a token that the operator has made; the token names it. */
export type Session = {
  readonly id: string
  readonly userId: string
  readonly issuedBy: SessionIssuer
  /** Cut short: no whole address is ever stored. */
  readonly truncatedAddress: string
  readonly createdAt: number
  readonly expiresAt: number
}

export type Sessions = {
  begin(session: Session, record: ActionToRecord): Promise<void>
  isOpen(id: string, userId: string, now: number): Promise<boolean>
  /** Newest first. */
  list(userId: string, now: number): Promise<readonly Session[]>
  /** False: the user has no such session that is open. */
  end(id: string, userId: string, now: number, record: ActionToRecord): Promise<boolean>
}
