import type { FactorProof, FactorRecord } from '../factors/admin-factors.ts'
import type { RegistrationLimit } from './agents.ts'
import type { MailCap, Notice, OutgoingMail } from './outbox.ts'
import type { NewSession, SessionIssuer } from './sessions.ts'

/** A person identified by a verified token. `id` holds issuer and subject, so issuers never collide. */
export type User = {
  readonly id: string
  /** Verified, in lower case; undefined: the token proves no address. */
  readonly email: string | undefined
  /** The address of the wallet that signed in, instead of an e-mail address. */
  readonly wallet?: string
  readonly role: 'user' | 'admin'
  /** Set for tokens of this service; tokens of an outside issuer have no session. */
  readonly session?: {
    readonly id: string
    readonly signedInAt: number
    /** Whether the sign-in used a second factor. */
    readonly hasFactor: boolean
    readonly issuedBy: SessionIssuer
  }
}

export type UserTokens = {
  /** Issues a token of this service. */
  issue(
    user:
      | { readonly email: string; readonly role: 'user' | 'admin' }
      | { readonly wallet: string; readonly role: 'user' },
    session?: { readonly id: string; readonly hasFactor: boolean; readonly issuedBy: SessionIssuer },
  ): Promise<{
    readonly token: string
    /** Equal to `User.id`. */
    readonly userId: string
    readonly expiresInSeconds: number
  }>
  /** The id of the user who signs in here with this address. */
  userIdOf(address: string): string
  /** Undefined: the token is not valid. Throws a Fault when the issuer's keys cannot be fetched. */
  verify(token: string): Promise<User | undefined>
}

/** Mailed sign-in codes. Neither a code nor an address is stored, only their digests. */
export type SignInCodes = {
  /**
   * Limits, codes and mail in one commit. `limited` depends on the requester alone: whether the address is
   * known or has reached its mail cap does not show in the outcome. Earlier codes stay valid.
   */
  issue(
    issue: CodeIssue,
  ): Promise<{ readonly kind: 'issued' } | { readonly kind: 'limited'; readonly retryAt: number }>
  /**
   * Counts the try, consumes a valid code and begins the session in one commit, so that tries cannot race and
   * no code is used up for nothing. A right code without the user's enrolled second factor stays usable.
   */
  redeem(attempt: CodeAttempt, begins: NewSession): Promise<Redeemed>
}

export type CodeIssue = {
  /** The address, as in `Agent.owner`. */
  readonly owner: string
  readonly addressDigest: string
  /** Digest of the requester's network, keyed by the address. */
  readonly networkDigest: string
  /** Short enough to type, so tries are limited. */
  readonly code: CodeRecord
  /** Too long to guess, so tries are unlimited and nobody can block it with wrong codes. */
  readonly longCode: CodeRecord
  readonly now: number
  readonly mail: OutgoingMail
  /** Limits of the requester's network. */
  readonly limits: readonly RegistrationLimit[]
  /** Limits mails to addresses that were never proven. */
  readonly unknownLimit: RegistrationLimit
  /** Set by configuration, not by the store. */
  readonly isAdmin: boolean
  readonly budgets: Readonly<Record<Familiarity, MailBudget>>
}

/**
 * The requester's relation to the address. `familiar`: proven from this network. `known`: owns an agent or
 * has signed in, from another network. `unknown`: never proven.
 */
export type Familiarity = 'familiar' | 'known' | 'unknown'

/** A cap of its own: mails that count against other budgets do not use it up. */
export type MailBudget = {
  readonly cap: MailCap
  /** Beyond the cap a mail is sent only if no unused code is younger than this. Undefined: never. */
  readonly resendAfterMs: number | undefined
}

/** The code is refused from `expiresAt` on. */
type CodeRecord = { readonly digest: string; readonly expiresAt: number }

export type CodeAttempt = {
  readonly kind: 'code' | 'long_code'
  readonly digest: string
  readonly addressDigest: string
  readonly networkDigest: string
  readonly now: number
  readonly tries: CodeTries
  /** Queued in the same commit if the address was proven before, but only from other networks. */
  readonly newNetworkNotice: Notice
  /** Undefined: the address is not an admin's. */
  readonly factor?: FactorAttempt | undefined
}

export type Redeemed = 'right' | 'right_with_factor' | 'wrong' | 'factor_missing' | 'factor_wrong'

/** The second factor of an admin who signs in. */
export type FactorAttempt = {
  readonly userId: string
  /** Undefined: no proof was given. */
  readonly proof: FactorProof | undefined
  /** Wrong proofs allowed per mailed code: for each network, and for all unfamiliar networks together. */
  readonly tries: number
  readonly recovered: FactorRecord
  readonly refused: FactorRecord
}

/**
 * Tries per code: for each network, and for all networks together that neither requested it nor are familiar.
 */
export type CodeTries = { readonly perNetwork: number; readonly byStrangers: number }
