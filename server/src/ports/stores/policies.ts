import type { PolicyDocument, PolicyRule } from '@stakewright/contract'
import type { PauseChange } from './agent-actions.ts'
import type { ActionRecord, Scope } from './agents.ts'

export type { PolicyDocument, PolicyRule }

export type RuleOf<Name extends PolicyRule['rule']> = Extract<PolicyRule, { rule: Name }>

/** An immutable revision of a policy. Times are milliseconds since 1970. */
export type PolicyRevision = {
  readonly revision: number
  readonly hash: string
  readonly document: PolicyDocument
  readonly changedAt: number
  readonly changedBy: { readonly id: string; readonly role: 'user' | 'admin' }
  /** How long a replaced revision stays in force; undefined: the newest one. */
  readonly holdsUntil: number | undefined
}

export type NewPolicy = Omit<PolicyRevision, 'revision' | 'holdsUntil'> & {
  /** Set if the change does nothing else. */
  readonly change?: PauseChange | undefined
  /** The revision it replaces; 0: the agent must have none. */
  readonly replaces: number
}

type WrittenPolicy =
  /** The new revision, and earlier ones still in force, as of this commit. */
  | { readonly kind: 'written'; readonly held: readonly PolicyRevision[] }
  /** Another write came first: the current revision, 0 for none. */
  | { readonly kind: 'conflict'; readonly revision: number }
  /** The agent is revoked; its mandate may have moved to a replacement. */
  | { readonly kind: 'revoked' }
  | { readonly kind: 'not_found' }

export type Policies = {
  /** Newest first; `before` is the previous page's last revision. Undefined: the scope has no such agent. */
  revisions(
    scope: Scope,
    agentId: string,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly PolicyRevision[] | undefined>
  /**
   * The newest revision and earlier ones still in force, newest first. Throws a `Fault` if one was tampered
   * with, or if they end before the revision recorded with the agent.
   */
  held(
    agentNo: number,
    at: { readonly now: number; readonly revision: number },
  ): Promise<readonly PolicyRevision[]>
  /** Like `held`, for the agent's managers and without its checks. Undefined: the scope has no such agent. */
  heldBy(scope: Scope, agentId: string, now: number): Promise<readonly PolicyRevision[] | undefined>
  /** Like `heldBy` for many agents; those without a policy are left out. */
  heldByEach(
    agentIds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, readonly PolicyRevision[]>>
  /** Adds a revision if the current one is `replaces`, checked and written in one commit. */
  write(scope: Scope, agentId: string, policy: NewPolicy, record: ActionRecord): Promise<WrittenPolicy>
}
