import type { OutgoingMail } from './agents.ts'

/** Mails that are committed and not delivered yet. */
export type Outbox = {
  /** Mails that are due, leased until `leaseUntil` so that two instances do not send the same one. */
  claim(now: number, leaseUntil: number, limit: number): Promise<readonly QueuedMail[]>
  /** Its content is gone from the store with this. */
  delivered(id: number): Promise<void>
  /** To be tried again at `retryAt`; undefined gives up and keeps only the fact. */
  failed(id: number, retryAt: number | undefined): Promise<void>
}

export type QueuedMail = { readonly id: number; readonly attempts: number; readonly mail: OutgoingMail }

/** Hands one mail over; resolves when the other side has taken it. */
export type Mailer = { send(mail: OutgoingMail): Promise<void> }
