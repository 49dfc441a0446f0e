import type { PolicyDocument, PolicyRule } from '@stakewright/contract'
import type { ActionRecord, Scope } from './agents.ts'

export type { PolicyDocument, PolicyRule }

/** A policy as it was written; it never changes. Times are milliseconds since 1970. */
export type PolicyRevision = {
  readonly revision: number
  readonly hash: string
  readonly document: PolicyDocument
  readonly changedAt: number
  readonly changedBy: { readonly id: string; readonly role: 'user' | 'admin' }
  /** Until when it goes on holding after it was replaced; undefined: it is the newest one. */
  readonly holdsUntil: number | undefined
}

export type NewPolicy = Omit<PolicyRevision, 'revision' | 'holdsUntil'> & {
  /** The revision it replaces; 0: there must be none. */
  readonly replaces: number
}

export type WrittenPolicy =
  | { readonly kind: 'written'; readonly revision: number }
  /** Somebody else was faster: this is the revision now, 0 for none. */
  | { readonly kind: 'conflict'; readonly revision: number }
  /** The agent is held to nothing any more; its mandate may have gone on to another. */
  | { readonly kind: 'revoked' }
  | { readonly kind: 'not_found' }

export type Policies = {
  /** Newest first; `before` is the last revision of the page before. Undefined: no such agent within the scope. */
  revisions(
    scope: Scope,
    agentId: string,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly PolicyRevision[] | undefined>
  /**
   * The newest revision, and those before it that still hold at the moment; newest first. Throws a `Fault` if they are
   * not those that were written, or end before the revision that the agent is known to have.
   */
  held(
    agentNo: number,
    at: { readonly now: number; readonly revision: number },
  ): Promise<readonly PolicyRevision[]>
  /** The same for who manages the agent, whatever the store has. Undefined: no such agent within the scope. */
  heldBy(scope: Scope, agentId: string, now: number): Promise<readonly PolicyRevision[] | undefined>
  /** The same for many agents at once; those without a policy are left out. */
  heldByEach(
    agentIds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, readonly PolicyRevision[]>>
  /** Adds a revision, if the present one is the one it replaces: condition and change are one step. */
  write(scope: Scope, agentId: string, policy: NewPolicy, record: ActionRecord): Promise<WrittenPolicy>
}
