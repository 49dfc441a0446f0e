import type { ErrorCode } from '@stakewright/contract/errors'
import type { KeyLimits } from './agent-keys.ts'
import type { RateLimits, StoredStatus, Tier } from './agents.ts'

/**
 * The hot path as one atomic step: authenticate, authorise, charge, log. The response waits for the commit of
 * its admission, so every admitted request is counted and in the audit log, even after `kill -9`.
 */
export type Admission = {
  admit(request: AdmissionRequest): Promise<Decision>
  /** Records the outcome of an admitted request with a later commit; nothing waits for it. */
  finish(ticket: Ticket, status: number, latencyMicros: number, build?: BuildNote): void
  /** Records a request refused before admission. Equal refusals of one second become one weighted entry. */
  noteRefusal(refusal: Refusal): void
  /** Why the latest commit failed; undefined: it did not, or failed too long ago to matter. */
  failure(): Error | undefined
  /** Stores an address's requests of this minute with the next commit: limits survive a restart. */
  noteAddress(count: AddressCount): void
  /** The stored counts of this minute. */
  addressCounts(minuteStart: number): Promise<readonly AddressCount[]>
}

/** A keyed hash of an address, and its requests in one UTC minute. */
export type AddressCount = {
  readonly minuteStart: number
  readonly low: number
  readonly high: number
  readonly hits: number
}

export type ClaimedIdentity =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'agent-key'; readonly digest: () => string }
  | { readonly kind: 'user'; readonly userId: string; readonly limits: RateLimits }

export type AdmissionRequest = {
  readonly claim: ClaimedIdentity
  /** The endpoint's name in the contract, from a bounded set. */
  readonly endpoint: string
  /** The request's name in the audit log, also from a bounded set. Default: the endpoint. */
  readonly label?: string | undefined
  readonly at: number
  /** Truncated: a full address is never stored. */
  readonly truncatedAddress: string
  /** The full address, for network restrictions of keys; never stored. */
  readonly client?: string
  /** Checks the credential without charging the quota: the endpoint needs no credential. */
  readonly isUncharged?: boolean
  /**
   * Admitted even if the quota is used up: otherwise a thief could use it up to keep the owner from stopping the key.
   */
  readonly isLastResort?: boolean
}

export type Refusal = {
  readonly endpoint: string
  readonly status: number
  readonly at: number
  /** Truncated: a full address is never stored. */
  readonly truncatedAddress: string
}

/** Identifies an admitted request until its outcome is recorded. */
export type Ticket = { readonly number: number; readonly agentNo: number | undefined }

/** Details of a build in the log, besides its status. */
export type BuildNote = {
  /** The amount it moves; undefined: it was refused before the amount was known. */
  readonly amount: bigint | undefined
  /** The approval that it waits for, or names. */
  readonly approvalId: string | undefined
  readonly refusal: BuildRefusal | undefined
}

export type BuildRefusal = {
  readonly code: ErrorCode
  /** Undefined: the policy refused it, and `broken` says why. */
  readonly message: string | undefined
  readonly broken: readonly LoggedBreach[]
}

type LoggedBreach = {
  readonly rule: string
  readonly limit: string
  readonly actual: string
  /** When the same build would have kept the rule, as ISO-8601; null: waiting would not have helped. */
  readonly clearsAt: string | null
}

export type Decision =
  | {
      readonly kind: 'admitted'
      readonly ticket: Ticket
      readonly agent: AgentRecord | undefined
      readonly quota: Quota | undefined
    }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'unusable'
      readonly status:
        | 'pending_verification'
        | 'expired'
        | 'revoked'
        | 'suspended'
        | 'replaced'
        | 'key_revoked'
        | 'key_expired'
        | 'other_network'
    }
  | { readonly kind: 'limited'; readonly quota: Quota; readonly retryAt: number }

export type Quota = {
  readonly limits: RateLimits
  readonly usedMinute: number
  readonly usedDay: number
  readonly minuteEndsAt: number
  readonly dayEndsAt: number
}

/** The agent of a key, as stored at this moment. */
export type AgentRecord = {
  readonly no: number
  readonly id: string
  readonly tier: Tier
  readonly storedStatus: StoredStatus
  readonly customLimits: RateLimits | undefined
  readonly verifyBy: number | undefined
  /** Set on keys that were replaced, expire or were revoked (0): the key is refused from this moment on. */
  readonly keyValidUntil: number | undefined
  /** Set for named keys only. */
  readonly key: KeyLimits | undefined
  /** The newest revision of its policy; undefined: no policy. */
  readonly policyRevision: number | undefined
}

/** Counters of one agent or user. Window starts never move back, whatever the clock does. */
export type Activity = {
  readonly minuteStart: number
  readonly minuteUsed: number
  readonly dayStart: number
  readonly dayUsed: number
  readonly lastUsedAt: number
  readonly lastLookUpAt: number
  readonly lastPolicyCheckAt: number
}

/** One agent's requests on one UTC day. */
export type DayCounts = {
  readonly tools: Readonly<Record<string, number>>
  readonly built: number
  /** Those of `built` that followed a look-up and a policy check. */
  readonly builtAware: number
}

/** Rules that the store calls inside its transaction: the store reads and writes, the rules decide. */
export type AdmissionRules = {
  decideForAgent(
    agent: AgentRecord | undefined,
    activity: Activity | undefined,
    request: AdmissionRequest,
  ): RuleOutcome
  decideForUser(limits: RateLimits, activity: Activity | undefined, request: AdmissionRequest): RuleOutcome
  countDay(day: DayCounts | undefined, before: Activity | undefined, request: AdmissionRequest): DayCounts
}

export type RuleOutcome =
  | { readonly kind: 'admit'; readonly quota: Quota; readonly activity: Activity }
  | Exclude<Decision, { readonly kind: 'admitted' }>
