import type { RedeemedChallenge } from '../chain/wallets.ts'
import type { ActionContext, ActionName, ActionToRecord } from './agent-actions.ts'
import type { CompletedRequest, IdempotentRequest } from './completed-requests.ts'
import type { MailCap, Notice, OutgoingMail } from './outbox.ts'

/** Agents, their keys and their registration. Times are milliseconds since 1970. */

export type Tier = 'free' | 'builder' | 'pro' | 'enterprise'
export type AgentType = 'autonomous' | 'assistant' | 'bot' | 'service' | 'other'
type IdentityTier = 'unverified' | 'email_verified' | 'wallet_verified' | 'user_linked' | 'admin_verified'

/**
 * The stored states. `expired` is derived: a pending agent expires by the clock alone
 * (domain/agents/agent-state).
 */
export type StoredStatus = 'pending_verification' | 'active' | 'suspended' | 'revoked'

/** A state transition, allowed from the listed states only. The domain has the table of transitions. */
export type Transition = { readonly from: readonly StoredStatus[]; readonly to: StoredStatus }

export type RateLimits = { readonly rpm: number; readonly rpd: number }

export type Agent = {
  readonly id: string
  /** The owner's e-mail address in lower case, or a wallet's address; `sandbox` for sandbox keys. */
  readonly owner: string
  readonly name: string
  readonly type: AgentType
  readonly walletAddress: string | undefined
  readonly identityTier: IdentityTier
  readonly tier: Tier
  readonly storedStatus: StoredStatus
  /** Limits set by an admin; undefined: the tier's limits. */
  readonly customLimits: RateLimits | undefined
  readonly keyPrefix: string
  readonly createdAt: number
  /**
   * The verification link of a pending agent is valid until before this moment. An agent that was revoked before it was
   * verified keeps it; any other has none.
   */
  readonly verifyBy: number | undefined
  readonly verifiedAt: number | undefined
  readonly lastUsedAt: number | undefined
  readonly rotatedAt: number | undefined
  readonly revokedAt: number | undefined
}

/** A new key as the store gets it: digest and prefix, never the key itself. */
export type KeyRecord = { readonly digest: string; readonly prefix: string }

/** A verification token as the store gets it; valid until before `expiresAt`. */
export type TokenRecord = { readonly digest: string; readonly expiresAt: number }

/** The agents an operation may access: one owner's or, for admins, everybody's. */
export type Scope = { readonly kind: 'owner'; readonly owner: string } | { readonly kind: 'everybody' }

/** `after` is the `next` of the previous page. */
export type Page = { readonly after: string | undefined; readonly limit: number }

/** Conditions on a list of agents; undefined: no condition. */
export type AgentFilter = {
  /** A substring of name, owner, id or key prefix, ignoring case. */
  readonly search: string | undefined
  /** The state at `now`. */
  readonly status: Agent['storedStatus'] | 'expired' | undefined
  readonly exceptName: string | undefined
  readonly now: number
}

export type NewAgent = Omit<
  Agent,
  'storedStatus' | 'keyPrefix' | 'lastUsedAt' | 'rotatedAt' | 'revokedAt'
> & {
  readonly storedStatus: 'pending_verification' | 'active'
  readonly key: KeyRecord
}

/**
 * One window of the registration limits; all are charged together or not at all. After the clock steps back,
 * the newest window of a name stays in force, unless it starts after `latestStart`: then the clock had been
 * ahead, and its counts are dropped.
 */
export type RegistrationLimit = {
  readonly name: 'ip-hour' | 'ip-day' | 'global-day' | 'sandbox-ip-hour'
  readonly key: string
  readonly windowStart: number
  readonly windowEnd: number
  readonly latestStart: number
  readonly limit: number
}

/** The most agents an owner may have, including those revoked since the start of the UTC day. */
export type AgentLimit = { readonly limit: number; readonly dayStart: number }

/** `retryAt` is the end of the last window that refuses, and `by` its name. */
export type RegistrationOutcome =
  | { readonly kind: 'registered' }
  | { readonly kind: 'agent_limit_reached' }
  | { readonly kind: 'limited'; readonly by: RegistrationLimit['name']; readonly retryAt: number }

/** The agent after the transition or, if `refused`, unchanged: its state does not allow it. */
export type ChangeOutcome =
  | { readonly kind: 'changed' | 'refused'; readonly agent: Agent }
  | { readonly kind: 'not_found' }

/** An owner's address and the network it was proven from. */
export type ProvenNetwork = { readonly addressDigest: string; readonly networkDigest: string }

export type VerifyOutcome =
  | { readonly kind: 'verified'; readonly agent: Agent }
  | { readonly kind: 'agent_limit_reached' | 'unusable' }

type ReplacedAgent = {
  readonly id: string
  readonly step: Transition
  /** The mail to the replaced agent's owner, if that is not the new agent's owner. */
  readonly notice?: (replaced: Agent) => Notice | undefined
}

/** With a record, a change commits its actions and the notice to the owner as well. */
export type Agents = {
  /**
   * Limits, agent, key, verification token and mail in one commit: no registration is ever partial. The mail
   * is silently omitted if its address has reached its `mailCaps`.
   */
  selfRegister(registration: {
    readonly agent: NewAgent
    readonly token: TokenRecord
    readonly mail: OutgoingMail
    readonly mailCaps: readonly MailCap[]
    readonly limits: readonly RegistrationLimit[]
    readonly record: ActionToRecord
    /** Recorded in the same commit, if the request has an idempotency key. */
    readonly completed?: CompletedRequest | undefined
  }): Promise<RegistrationOutcome>
  /** Limits, agent and key in one commit, for an agent that needs no mail. */
  registerWithin(
    agent: NewAgent,
    limits: readonly RegistrationLimit[],
    record: ActionToRecord,
    options?: {
      readonly agentLimit?: AgentLimit | undefined
      readonly completed?: CompletedRequest | undefined
      /** The wallet's challenge, redeemed in the same commit. */
      readonly challenge?: RedeemedChallenge | undefined
    },
  ): Promise<RegistrationOutcome | { readonly kind: 'challenge_used' }>
  /**
   * Registers an agent for a user or an admin. In the same commit the replaced agent makes its transition,
   * its mandate moves to the new agent and its owner is notified.
   */
  register(
    agent: NewAgent,
    replaced: ReplacedAgent | undefined,
    record?: ActionRecord,
    agentLimit?: AgentLimit,
  ): Promise<{ readonly kind: 'registered' | 'replaced_agent_not_found' | 'agent_limit_reached' }>
  /**
   * Makes the transition of the token's agent, which verifies its address. Repeating it while the token is
   * valid changes nothing and returns the same. `unusable`: the token or the agent's state does not allow it.
   */
  verify(
    tokenDigest: string,
    step: Transition,
    now: number,
    record: ActionToRecord,
    options?: {
      readonly agentLimit?: AgentLimit | undefined
      /** The network that the owner is proven from, remembered in the same commit. */
      readonly provenFrom?: ((owner: string) => ProvenNetwork) | undefined
    },
  ): Promise<VerifyOutcome>
  /**
   * A fresh token and mail for the newest pending, unexpired agent of the address, if the caps allow. Takes
   * as long without one, so that timing does not reveal which addresses are known.
   */
  renewVerification(renewal: {
    readonly owner: string
    readonly token: TokenRecord
    readonly mail: OutgoingMail
    readonly mailCaps: readonly MailCap[]
    readonly now: number
  }): Promise<void>
  find(scope: Scope, id: string): Promise<Agent | undefined>
  /** Newest first; an owner's unverified ones come last. Undefined: `after` is no cursor of this list. */
  list(
    scope: Scope,
    page: Page,
    filter?: AgentFilter,
  ): Promise<{ readonly agents: readonly Agent[]; readonly next: string | undefined } | undefined>
  /**
   * Replaces the primary key in one commit. The previous key is valid until before `graceEndsAt`, or ends at
   * once without it, even if the clock steps back later. Keys older than the previous one are deleted.
   */
  replaceKey(
    scope: Scope,
    id: string,
    change: {
      readonly key: KeyRecord
      readonly step: Transition
      readonly now: number
      readonly graceEndsAt: number | undefined
    },
    record?: ActionRecord,
  ): Promise<ChangeOutcome>
  /** Ends every key of the agent. A revoked agent stays unchanged. */
  revoke(
    scope: Scope,
    id: string,
    step: Transition,
    now: number,
    record?: ActionRecord,
  ): Promise<ChangeOutcome>
  /**
   * Applies the transition to every agent of the owner whose state allows it, each in its own commit: one commit for
   * all would delay all other changes. Resolves with their number.
   */
  revokeAll(owner: string, step: Transition, now: number, record: ActionToRecord): Promise<number>
  /**
   * Revokes by key: the current primary key takes its agent with it; a named key, or a replaced key in its
   * grace period, ends alone. Undefined: no valid key has this digest.
   */
  revokeByKey(
    keyDigest: string,
    change: { readonly step: Transition; readonly now: number },
    record?: ActionRecord,
  ): Promise<Agent | undefined>
  /** Makes the transition and sets the limits, as far as given, in one commit. */
  update(
    id: string,
    change:
      | { readonly step: Transition; readonly limits: RateLimits | undefined }
      | { readonly step: undefined; readonly limits: RateLimits },
    record?: ActionRecord,
  ): Promise<ChangeOutcome>
}

/** The actions, stored answer and notice committed with a change. */
export type ActionRecord = ActionContext & {
  readonly actions: readonly ActionName[]
  /** Stores the answer for repeats of the request, in the same commit. */
  readonly once?: (IdempotentRequest & { readonly answer: (agent: Agent) => string }) | undefined
  /** The mail to the owner, queued in the same commit. `keyPrefix` is set if it concerns a single key. */
  readonly notice: (agent: Agent, keyPrefix?: string) => Notice | undefined
}
