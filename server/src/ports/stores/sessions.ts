import type { ActionToRecord } from './agent-actions.ts'
import type { SessionIssuer } from './users.ts'

/** A session of a sign-in or of a token made by the operator; the token carries its id. */
export type Session = {
  readonly id: string
  readonly userId: string
  readonly issuedBy: SessionIssuer
  /** Truncated: a full address is never stored. */
  readonly truncatedAddress: string
  readonly createdAt: number
  readonly expiresAt: number
}

export type Sessions = {
  begin(session: Session, record: ActionToRecord): Promise<void>
  isOpen(id: string, userId: string, now: number): Promise<boolean>
  /** Newest first. */
  list(userId: string, now: number): Promise<readonly Session[]>
  /** False: the user has no open session with this id. */
  end(id: string, userId: string, now: number, record: ActionToRecord): Promise<boolean>
}
