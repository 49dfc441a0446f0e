import type { OutgoingMail } from './agents.ts'

/** Mails that are committed and not delivered yet. */
export type Outbox = {
  /** Mails that are due, leased until `leaseUntil` so that two instances do not send the same one. Counts the attempt. */
  claim(kind: MailUrgency, now: number, leaseUntil: number, limit: number): Promise<readonly QueuedMail[]>
  /** Its content is gone from the store with this. */
  delivered(claim: Claim): Promise<void>
  /** Frees it to be tried again at `retryAt`, unless somebody else has claimed it since. */
  retry(claim: Claim, retryAt: number): Promise<void>
  /** Keeps only the fact, unless somebody else has claimed it since. */
  giveUp(claim: Claim): Promise<void>
  /** Removes the facts about finished mails that were queued before `createdBefore`. */
  forgetFinished(createdBefore: number): Promise<void>
}

/** Urgent mails are sent beside all others, so that these hold none of them up. */
export type MailUrgency = 'urgent' | 'queued'

/** One try at a mail. `attempts` counts this one too, and so tells it from every other try. */
export type Claim = { readonly id: number; readonly attempts: number }

export type QueuedMail = Claim & {
  readonly createdAt: number
  /** Undefined when it cannot be unsealed: the secret is another one than when it was queued. */
  readonly mail: OutgoingMail | undefined
}

/** A mail with the identity it keeps however often it is sent. */
export type Letter = OutgoingMail & { readonly id: number; readonly createdAt: number }

export type Handover =
  | { readonly kind: 'taken' }
  /** By the recipient's side and for good: trying again is of no use. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Hands one mail over; resolves when the other side has decided. Throws when it may work another time. */
export type Mailer = { send(letter: Letter, deadline: AbortSignal): Promise<Handover> }
