import type { KeyLimits } from './agent-keys.ts'
import type { RateLimits, StoredStatus, Tier } from './agents.ts'

/**
 * The hot path as one atomic step: who is it, may it, charge it, note it. The answer to a request waits for the
 * commit of its admission, so whatever was admitted is counted and in the audit log, even after `kill -9`.
 */
export type Admission = {
  admit(request: AdmissionRequest): Promise<Decision>
  /** How an admitted request ended. It is noted soon after; nobody waits for it. */
  finish(ticket: Ticket, status: number, latencyMicros: number): void
  /** A request that was turned away before anybody was admitted. Equal ones of a second become one weighted entry. */
  noteRefusal(refusal: Refusal): void
  /** What an address has sent in its minute; kept with the next commit, for the time after a restart. */
  noteAddress(count: AddressCount): void
  /** The counts that were kept for this minute. */
  addressCounts(minuteStart: number): Promise<readonly AddressCount[]>
}

/** An address as limits know it, by a keyed hash, and its requests in one UTC minute. */
export type AddressCount = {
  readonly minuteStart: number
  readonly low: number
  readonly high: number
  readonly hits: number
}

export type Claim =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'agent-key'; readonly digest: () => string }
  | { readonly kind: 'user'; readonly userId: string; readonly limits: RateLimits }

export type AdmissionRequest = {
  readonly claim: Claim
  /** The endpoint's name in the contract: one of a bounded set. */
  readonly endpoint: string
  /** What the audit log calls the request; the endpoint, if it is left out. One of a bounded set, too. */
  readonly label?: string | undefined
  readonly at: number
  /** Cut short: no whole address is ever stored. */
  readonly truncatedAddress: string
  /** The whole address, to decide by; it is not stored. */
  readonly client?: string
  /** The credential is only checked: what is called needs none, so it costs none of the quota. */
  readonly isFree?: boolean
}

export type Refusal = {
  readonly endpoint: string
  readonly status: number
  readonly at: number
  /** Cut short: no whole address is ever stored. */
  readonly truncatedAddress: string
}

/** Names an admitted request until it is finished. */
export type Ticket = { readonly number: number; readonly agentNo: number | undefined }

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

/** The agent that a key belongs to, as the store has it at this moment. */
export type AgentRecord = {
  readonly no: number
  readonly id: string
  readonly tier: Tier
  readonly storedStatus: StoredStatus
  readonly customLimits: RateLimits | undefined
  readonly verifyBy: number | undefined
  /** Set on a key that was replaced, ends or was revoked (0): it is refused from this moment on. */
  readonly keyValidUntil: number | undefined
  /** Set on a named key. */
  readonly key: KeyLimits | undefined
  /** The newest revision of its policy; undefined: it has none. */
  readonly policyRevision: number | undefined
}

/** What is counted for one subject, an agent or a user. The window starts never move back, whatever the clock does. */
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
  /** Of those, how many followed a look-up and a policy check. */
  readonly builtAware: number
}

/** The rules, which the store calls inside its own transaction: it reads and writes, they decide. */
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
