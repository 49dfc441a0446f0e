import type { FactorProof, FactorRecord } from '../factors/admin-factors.ts'
import type { MailCap, Notice, OutgoingMail, RegistrationLimit } from './agents.ts'

/** `operator`: a command on the machine of the service. */
export type SessionIssuer = 'sign-in' | 'operator'

/** A person, as a verified token says. `id` is issuer and subject: two issuers never mean the same one. */
export type User = {
  readonly id: string
  /** Verified, in lower case; undefined when the token does not prove one. */
  readonly email: string | undefined
  /** The address of the wallet that has signed in, instead of a mailbox. */
  readonly wallet?: string
  readonly role: 'user' | 'admin'
  /** Of a token of this service; those of an outside issuer have none. */
  readonly session?: {
    readonly id: string
    readonly signedInAt: number
    /** Whether the sign-in took a second factor. */
    readonly hasFactor: boolean
    readonly issuedBy: SessionIssuer
  }
}

export type UserTokens = {
  /** A token of our own. */
  issue(
    user:
      | { readonly email: string; readonly role: 'user' | 'admin' }
      | { readonly wallet: string; readonly role: 'user' },
    session?: { readonly id: string; readonly hasFactor: boolean; readonly issuedBy: SessionIssuer },
  ): Promise<{
    readonly token: string
    /** As `User` has it. */
    readonly userId: string
    readonly expiresInSeconds: number
  }>
  /** The id of whoever proves this address in a sign-in here. */
  userIdOf(address: string): string
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
  /**
   * Counts the try and, if the code is right and in time, uses it up: one step, so that tries cannot race. A right code
   * without the second factor that its user has enrolled is kept for another try.
   */
  redeem(attempt: CodeAttempt): Promise<Redeemed>
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
  /** Undefined: the address is no admin's. */
  readonly factor?: FactorAttempt | undefined
}

export type Redeemed = 'right' | 'right with factor' | 'wrong' | 'factor missing' | 'factor wrong'

/** The second factor of an admin who signs in. */
export type FactorAttempt = {
  readonly userId: string
  /** Undefined: none was given. */
  readonly proof: FactorProof | undefined
  /** Wrong ones with each mailed code: by each network, and by all strange networks together. */
  readonly tries: number
  readonly recovered: FactorRecord
  readonly refused: FactorRecord
}

/** How often a code may be tried: by each network, and by all networks together that neither asked for it nor are familiar. */
export type CodeTries = { readonly perNetwork: number; readonly byStrangers: number }
