import type { ActionContext, ActionName, ActionToRecord } from './agent-actions.ts'
import type { DoneRequest, OnceKey } from './done-requests.ts'

/** Agents, their keys and how they came to be. Times are milliseconds since 1970. */

export type Tier = 'free' | 'builder' | 'pro' | 'enterprise'
export type AgentType = 'autonomous' | 'assistant' | 'bot' | 'service' | 'other'
export type IdentityTier =
  | 'unverified'
  | 'email_verified'
  | 'wallet_verified'
  | 'user_linked'
  | 'admin_verified'

/** What is stored. `expired` is not: a pending agent becomes it by the clock alone (see domain/agents/agent-state). */
export type StoredStatus = 'pending_verification' | 'active' | 'suspended' | 'revoked'

/** A step that an agent may take: from one of these states, and from no other. The domain has the table of them. */
export type Transition = { readonly from: readonly StoredStatus[]; readonly to: StoredStatus }

export type RateLimits = { readonly rpm: number; readonly rpd: number }

export type Agent = {
  readonly id: string
  /** The e-mail address that owns it, in lower case, or the address of a wallet; `sandbox` for sandbox keys. */
  readonly owner: string
  readonly name: string
  readonly type: AgentType
  readonly walletAddress: string | undefined
  readonly identityTier: IdentityTier
  readonly tier: Tier
  readonly storedStatus: StoredStatus
  /** Limits set by an admin; the tier's hold otherwise. */
  readonly customLimits: RateLimits | undefined
  readonly keyPrefix: string
  readonly createdAt: number
  /** A pending agent's link works until just before this moment. */
  readonly verifyBy: number | undefined
  readonly verifiedAt: number | undefined
  readonly lastUsedAt: number | undefined
  readonly rotatedAt: number | undefined
  readonly revokedAt: number | undefined
}

/** A new key as the store may know it: never the key itself. */
export type KeyRecord = { readonly digest: string; readonly prefix: string }

/** A verification token as the store may know it; it works until just before `expiresAt`. */
export type TokenRecord = { readonly digest: string; readonly expiresAt: number }

/** Whose agents an operation may touch: one owner's, or — for admins — everybody's. */
export type Scope = { readonly kind: 'owner'; readonly owner: string } | { readonly kind: 'everybody' }

/** `after` is the `next` of the page before. */
export type Page = { readonly after: string | undefined; readonly limit: number }

/** Which agents a list has; what is undefined leaves none out. */
export type AgentFilter = {
  /** A part of name, owner, id or key prefix; large and small letters alike. */
  readonly search: string | undefined
  /** The state at `now`. */
  readonly status: Agent['storedStatus'] | 'expired' | undefined
  readonly exceptName: string | undefined
  readonly now: number
}

/** A mail as the outbox keeps it; the plain text exists only sealed in the store, and in the mail. */
export type OutgoingMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export type NewAgent = Omit<
  Agent,
  'storedStatus' | 'keyPrefix' | 'lastUsedAt' | 'rotatedAt' | 'revokedAt'
> & {
  readonly storedStatus: 'pending_verification' | 'active'
  readonly key: KeyRecord
}

/**
 * A window of the registration limits; all of them are charged together or not at all. After the clock stepped back the
 * newest window of its name still holds, unless it starts after `latestStart`: then the clock had been ahead, and what
 * was counted by it is forgotten.
 */
export type RegistrationLimit = {
  readonly name: 'ip-hour' | 'ip-day' | 'global-day' | 'sandbox-ip-hour'
  readonly key: string
  readonly windowStart: number
  readonly windowEnd: number
  readonly latestStart: number
  readonly limit: number
}

/** How many agents an owner may have, those that were revoked since the beginning of the UTC day included. */
export type OwnerRoom = { readonly limit: number; readonly dayStart: number }

/** `retryAt` is when the last of the limits that refuse is over, and `by` its name. */
export type RegistrationOutcome =
  | { readonly kind: 'registered' }
  | { readonly kind: 'no_room' }
  | { readonly kind: 'limited'; readonly by: RegistrationLimit['name']; readonly retryAt: number }

/** The agent as it is after the step — or, `refused`, as it is because its state does not allow the step. */
export type ChangeOutcome =
  | { readonly kind: 'changed' | 'refused'; readonly agent: Agent }
  | { readonly kind: 'not_found' }

export type ReplacedAgent = {
  readonly id: string
  readonly step: Transition
  /** What the owner of the replaced agent is told, where that is not the new one's. */
  readonly notice?: (replaced: Agent) => Notice | undefined
}

/** A change that is made is recorded in its own commit, where a record is given, and its owner told as that says. */
export type Agents = {
  /**
   * Limits, agent, key, verification token and mail in one commit: nothing is ever half-registered.
   * The mail is left out, silently, when its address has had its share (see `mailCaps`).
   */
  selfRegister(registration: {
    readonly agent: NewAgent
    readonly token: TokenRecord
    readonly mail: OutgoingMail
    readonly mailCaps: readonly MailCap[]
    readonly limits: readonly RegistrationLimit[]
    readonly record: ActionToRecord
    /** Recorded with it, where the request has a name. */
    readonly done?: DoneRequest | undefined
  }): Promise<RegistrationOutcome>
  /** Limits, agent and key in one commit, for an agent that needs no mail. */
  registerWithin(
    agent: NewAgent,
    limits: readonly RegistrationLimit[],
    record: ActionToRecord,
    options?: { readonly room?: OwnerRoom | undefined; readonly done?: DoneRequest | undefined },
  ): Promise<RegistrationOutcome>
  /**
   * An agent registered by a user or an admin. The one it replaces takes its step, hands on its mandate and has its owner
   * told in the same commit, or nothing happens.
   */
  register(
    agent: NewAgent,
    replaced: ReplacedAgent | undefined,
    record?: ActionRecord,
    room?: OwnerRoom,
  ): Promise<'registered' | 'replaced_agent_not_found' | 'no_room'>
  /**
   * Takes the step with the agent of the token, whose address is verified by that; repeating it within the token's
   * life changes nothing and returns the same. Undefined when the token or the agent's state does not allow it.
   */
  verify(
    tokenDigest: string,
    step: Transition,
    now: number,
    record: ActionToRecord,
    room?: OwnerRoom,
  ): Promise<Agent | 'no_room' | undefined>
  /**
   * A fresh token and mail for the newest pending agent of the address, if there is one whose time is not over and the
   * cap allows. Takes as long when there is none: the time it takes tells nobody which addresses are known.
   */
  renewVerification(renewal: {
    readonly owner: string
    readonly token: TokenRecord
    readonly mail: OutgoingMail
    readonly mailCaps: readonly MailCap[]
    readonly now: number
  }): Promise<void>
  find(scope: Scope, id: string): Promise<Agent | undefined>
  /** Newest first. Undefined when `after` is not from a page of this list. */
  list(
    scope: Scope,
    page: Page,
    filter?: AgentFilter,
  ): Promise<{ readonly agents: readonly Agent[]; readonly next: string | undefined } | undefined>
  /**
   * Replaces the key in one step. The key before works until `graceEndsAt` and not at it, and not at all without one,
   * whatever the clock says later. Keys older than that are forgotten.
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
  /** Every key of the agent dies with it. A revoked agent stays as it is. */
  revoke(
    scope: Scope,
    id: string,
    step: Transition,
    now: number,
    record?: ActionRecord,
  ): Promise<ChangeOutcome>
  /** Every agent of the owner that may take the step takes it. Resolves with how many did. */
  revokeAll(owner: string, step: Transition, now: number, record: ActionToRecord): Promise<number>
  /**
   * Revokes what a key opens: the present key takes its agent with it, a replaced key that is still in its grace
   * period ends alone. Undefined when the key opens nothing.
   */
  revokeByKey(
    keyDigest: string,
    change: { readonly step: Transition; readonly now: number },
    record?: ActionRecord,
  ): Promise<Agent | undefined>
  /** Takes the step and sets the limits, as far as they are given: all of it or nothing. */
  update(
    id: string,
    change:
      | { readonly step: Transition; readonly limits: RateLimits | undefined }
      | { readonly step: undefined; readonly limits: RateLimits },
    record?: ActionRecord,
  ): Promise<ChangeOutcome>
}

/** A mail about what happened. It is left out when a cap has no room; the last within a cap is `lastMail`, which says so. */
export type Notice = {
  readonly mail: OutgoingMail
  readonly lastMail: OutgoingMail
  readonly mailCaps: readonly MailCap[]
}

/** What is recorded about a change, in the commit of the change. */
export type ActionRecord = ActionContext & {
  readonly actions: readonly ActionName[]
  /** Records with the change what a repeat of the request is answered. */
  readonly once?: (OnceKey & { readonly answer: (agent: Agent) => string }) | undefined
  /** The mail that tells the owner; it leaves with the same commit. The prefix is that of the one key that ended. */
  readonly notice: (agent: Agent, keyPrefix?: string) => Notice | undefined
}

/** At most `limit` mails that count under the key within the trailing window. */
export type MailCap = {
  readonly key: string
  readonly limit: number
  readonly since: number
  readonly now: number
}
