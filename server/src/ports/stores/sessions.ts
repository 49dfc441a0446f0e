import type { ActionToRecord } from './agent-actions.ts'

/** `operator`: a command on the service's machine. */
export type SessionIssuer = 'sign-in' | 'operator'

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

/** A session to begin, and the record of it. It ends the oldest of its user if more than `most` would be open. */
export type NewSession = {
  readonly session: Session
  readonly record: ActionToRecord
  readonly most: number
}

export type Sessions = {
  begin(begins: NewSession): Promise<void>
  isOpen(id: string, userId: string, now: number): Promise<boolean>
  /** Newest first. */
  list(userId: string, now: number): Promise<readonly Session[]>
  /** False: the user has no open session with this id. */
  end(id: string, userId: string, now: number, record: ActionToRecord): Promise<boolean>
}
