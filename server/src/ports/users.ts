import type { MailCap, OutgoingMail, RegistrationLimit } from './agents.ts'

/** A person, as a verified token says. `id` is issuer and subject: two issuers never mean the same one. */
export type User = {
  readonly id: string
  /** Verified, in lower case; undefined when the token does not prove one. */
  readonly email: string | undefined
  readonly role: 'user' | 'admin'
}

export type UserTokens = {
  /** A token of our own. */
  issue(user: { readonly email: string; readonly role: 'user' | 'admin' }): Promise<{
    readonly token: string
    readonly expiresInSeconds: number
  }>
  /** Undefined for every token that is not valid; throws a Fault when its issuer's keys cannot be had. */
  verify(token: string): Promise<User | undefined>
}

/** Mailed sign-in codes. Neither a code nor an address is kept, only their digests. */
export type SignInCodes = {
  /**
   * Code, limits and mail in one commit; a newer code replaces the older one of the address. When the address has had
   * its share of mails, nothing is mailed or replaced, and the answer is the same.
   */
  issue(issue: {
    readonly addressDigest: string
    readonly codeDigest: string
    readonly now: number
    /** From this moment on the code is refused. */
    readonly expiresAt: number
    readonly mail: OutgoingMail
    readonly mailCap: MailCap
    readonly limits: readonly RegistrationLimit[]
  }): Promise<{ readonly kind: 'issued' } | { readonly kind: 'limited'; readonly retryAt: number }>
  /** Counts the try and, if it fits and is in time, uses the code up: one step, so that tries cannot race. */
  redeem(addressDigest: string, codeDigest: string, now: number, maxTries: number): Promise<boolean>
}
