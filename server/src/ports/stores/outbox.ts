/** A mail as the outbox keeps it. The store holds the text only in sealed form. */
export type OutgoingMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** At most `limit` mails under this key within the trailing window. */
export type MailCap = {
  readonly key: string
  readonly limit: number
  readonly since: number
  readonly now: number
}

/** A mail about an event, omitted when a cap is reached; the last within a cap, `lastMail`, says so. */
export type Notice = {
  readonly mail: OutgoingMail
  readonly lastMail: OutgoingMail
  readonly mailCaps: readonly MailCap[]
}

/** Mails that are committed and not delivered yet. */
export type Outbox = {
  /** Leases due mails until `leaseUntil`, so that only one instance sends each. Counts the attempt. */
  claim(kind: MailUrgency, now: number, leaseUntil: number, limit: number): Promise<readonly QueuedMail[]>
  /** Also deletes the mail's content from the store. */
  delivered(attempt: DeliveryAttempt): Promise<void>
  /** Releases the mail for a retry at `retryAt`, unless another instance has claimed it since. */
  retry(attempt: DeliveryAttempt, retryAt: number): Promise<void>
  /** Deletes the content and keeps the row, unless another instance has claimed the mail since. */
  giveUp(attempt: DeliveryAttempt): Promise<void>
  /** Deletes the rows of finished mails that were queued before `createdBefore`. */
  forgetFinished(createdBefore: number): Promise<void>
}

/** Urgent mails have a queue of their own, so that other mails cannot delay them. */
export type MailUrgency = 'urgent' | 'queued'

/** One delivery attempt. `attempts` includes this one and so identifies it. */
export type DeliveryAttempt = { readonly id: number; readonly attempts: number }

export type QueuedMail = DeliveryAttempt & {
  readonly createdAt: number
  /** Undefined: it cannot be unsealed, because the secret has changed since it was queued. */
  readonly mail: OutgoingMail | undefined
}

/** A mail with an identity that stays the same over all attempts. */
export type IdentifiedMail = OutgoingMail & { readonly id: number; readonly createdAt: number }

export type DeliveryResult =
  | { readonly kind: 'taken' }
  /** A permanent refusal by the receiving server: a retry is of no use. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Sends one mail; resolves when the receiving server has decided. Throws when a retry may succeed. */
export type Mailer = { send(mail: IdentifiedMail, deadline: AbortSignal): Promise<DeliveryResult> }
