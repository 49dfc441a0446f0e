/** Agents, their keys and how they came to be. Times are milliseconds since 1970. */

export type Tier = 'free' | 'builder' | 'pro' | 'enterprise'
export type AgentType = 'autonomous' | 'assistant' | 'bot' | 'service' | 'other'
export type IdentityTier = 'unverified' | 'email_verified' | 'user_linked' | 'admin_verified'

/** What is stored. `expired` is not: a pending agent becomes it by the clock alone (see domain/agents/agent-state). */
export type StoredStatus = 'pending_verification' | 'active' | 'suspended' | 'revoked'

export type RateLimits = { readonly rpm: number; readonly rpd: number }

export type Agent = {
  readonly id: string
  /** The e-mail address that owns it, in lower case. */
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

/** Whose agents an operation may touch: one owner's, or — for admins — everybody's. */
export type Scope = { readonly kind: 'owner'; readonly owner: string } | { readonly kind: 'everybody' }

export type Page = { readonly after: string | undefined; readonly limit: number }

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

/** A window of the registration limits; all of them are charged together or not at all. */
export type RegistrationLimit = {
  readonly name: 'ip-hour' | 'ip-day' | 'global-day'
  readonly key: string
  readonly windowStart: number
  readonly windowEnd: number
  readonly limit: number
}

export type RegistrationOutcome =
  | { readonly kind: 'registered' }
  | { readonly kind: 'limited'; readonly by: RegistrationLimit['name']; readonly retryAt: number }

export type Agents = {
  /**
   * Limits, agent, key, verification token and mail in one commit: nothing is ever half-registered.
   * The mail is left out, silently, when its address has had its share (see `mailCap`).
   */
  selfRegister(registration: {
    readonly agent: NewAgent
    readonly tokenDigest: string
    readonly mail: OutgoingMail
    readonly mailCap: MailCap
    readonly limits: readonly RegistrationLimit[]
  }): Promise<RegistrationOutcome>
  /** An agent registered by a user or an admin: active at once. With `replaces` that agent is revoked in the same commit. */
  register(agent: NewAgent, replaces: string | undefined): Promise<'registered' | 'replaced_agent_not_found'>
  /** Activates the agent of the token; repeating it within the token's life changes nothing and returns the same. */
  verify(tokenDigest: string, now: number): Promise<Agent | undefined>
  /** A fresh token and mail for the newest pending agent of the address, if there is one and its cap allows. */
  renewVerification(renewal: {
    readonly owner: string
    readonly tokenDigest: string
    readonly mail: OutgoingMail
    readonly mailCap: MailCap
    readonly now: number
    readonly verifyBy: number
  }): Promise<void>
  find(scope: Scope, id: string): Promise<Agent | undefined>
  /** Newest first. */
  list(
    scope: Scope,
    page: Page,
  ): Promise<{ readonly agents: readonly Agent[]; readonly next: string | undefined }>
  /** Replaces the key in one step; the old one works until `previousValidUntil` and not at it. Only active agents. */
  replaceKey(
    scope: Scope,
    id: string,
    key: KeyRecord,
    now: number,
    previousValidUntil: number,
  ): Promise<Agent | undefined>
  /** Idempotent: a revoked agent stays as it is. Every key of the agent dies with it. */
  revoke(scope: Scope, id: string, now: number): Promise<Agent | undefined>
  /** Suspends or resumes, and sets limits; undefined when there is no such agent or it may not change so. */
  update(
    id: string,
    change: { readonly status: 'active' | 'suspended' | undefined; readonly limits: RateLimits | undefined },
  ): Promise<Agent | undefined>
}

/** At most `limit` mails to one canonical address within the trailing window. */
export type MailCap = {
  readonly key: string
  readonly limit: number
  readonly since: number
  readonly now: number
}
