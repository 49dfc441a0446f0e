import type { MailCap, Notice, OutgoingMail, RegistrationLimit } from './agents.ts'

/** A person, as a verified token says. `id` is issuer and subject: two issuers never mean the same one. */
export type User = {
  readonly id: string
  /** Verified, in lower case; undefined when the token does not prove one. */
  readonly email: string | undefined
  /** The address of the wallet that has signed in, instead of a mailbox. */
  readonly wallet?: string
  readonly role: 'user' | 'admin'
  /** Of a sign-in at this service; other tokens have none. */
  readonly session?: { readonly id: string; readonly signedInAt: number }
}

export type UserTokens = {
  /** A token of our own. */
  issue(
    user:
      | { readonly email: string; readonly role: 'user' | 'admin' }
      | { readonly wallet: string; readonly role: 'user' },
    sessionId?: string,
  ): Promise<{
    readonly token: string
    /** As `User` has it. */
    readonly userId: string
    readonly expiresInSeconds: number
  }>
  /** Undefined for every token that is not valid; throws a Fault when its issuer's keys cannot be had. */
  verify(token: string): Promise<User | undefined>
}

/** Mailed sign-in codes. Neither a code nor an address is stored, only their digests. */
export type SignInCodes = {
  /**
   * Limits, codes and mail in one commit. `limited` depends on the requester alone: whether the address is known, or
   * has been sent enough mails, changes nothing about the outcome. Codes mailed before stay valid.
   */
  issue(
    issue: CodeIssue,
  ): Promise<{ readonly kind: 'issued' } | { readonly kind: 'limited'; readonly retryAt: number }>
  /** Counts the try and, if the code is right and in time, uses it up: one step, so that tries cannot race. */
  redeem(attempt: CodeAttempt): Promise<boolean>
  /** The address was proven from this network in another way than by a code. */
  rememberNetwork(proven: {
    readonly addressDigest: string
    readonly networkDigest: string
    readonly now: number
  }): Promise<void>
}

export type CodeIssue = {
  /** The address as agents have it. */
  readonly owner: string
  readonly addressDigest: string
  /** The network of the requester, as this address sees it. */
  readonly networkDigest: string
  /** Short enough to type, so tries are counted. */
  readonly code: CodeRecord
  /** Too long to guess, so tries are not counted: nobody's wrong codes can spoil it. */
  readonly longCode: CodeRecord
  readonly now: number
  readonly mail: OutgoingMail
  /** Limits of the requester's network. */
  readonly limits: readonly RegistrationLimit[]
  /** The limit on mails to addresses that nobody has proven yet. */
  readonly unknownLimit: RegistrationLimit
  /** Known by configuration, whatever the store has. */
  readonly isAdmin: boolean
  readonly lanes: Readonly<Record<Standing, MailLane>>
}

/**
 * How the requester stands to the address. `familiar`: the address was proven from this network. `known`: the address
 * owns an agent or has signed in, from another network. `unknown`: nobody has proven the address yet.
 */
export type Standing = 'familiar' | 'known' | 'unknown'

/** A budget of mails that no other lane can use up. */
export type MailLane = {
  readonly cap: MailCap
  /** Beyond the cap: a mail is sent when no unused code is younger than this. Undefined: none is sent. */
  readonly resendAfterMs: number | undefined
}

/** From `expiresAt` on the code is refused. */
export type CodeRecord = { readonly digest: string; readonly expiresAt: number }

export type CodeAttempt = {
  readonly kind: 'code' | 'long code'
  readonly digest: string
  readonly addressDigest: string
  readonly networkDigest: string
  readonly now: number
  readonly tries: CodeTries
  /** Leaves with the commit when the address was proven before, but from other networks only. */
  readonly newNetworkNotice: Notice
}

/** How often a code may be tried: by each network, and by all networks together that neither asked for it nor are familiar. */
export type CodeTries = { readonly perNetwork: number; readonly byStrangers: number }
