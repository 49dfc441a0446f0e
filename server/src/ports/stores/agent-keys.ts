import type { KeyScope } from '@stakewright/contract'
import type { ActionRecord, Agent, KeyRecord, Scope, Transition } from './agents.ts'

export type { KeyScope }

/** The restrictions of a named key. A primary key has none of its own. */
export type KeyLimits = {
  readonly id: string
  readonly scopes: readonly KeyScope[]
  /** Networks in CIDR notation; empty: any address. */
  readonly networks: readonly string[]
}

/** An additional key of an agent, beside its primary key. */
export type NamedKey = KeyLimits & {
  readonly name: string
  readonly prefix: string
  readonly createdAt: number
  /** The key is refused from this moment on. */
  readonly expiresAt: number | undefined
  /** Precise to the minute. */
  readonly lastUsedAt: number | undefined
  readonly revokedAt: number | undefined
}

export type NewNamedKey = Omit<NamedKey, 'prefix' | 'lastUsedAt' | 'revokedAt'> & { readonly key: KeyRecord }

type AddedKey =
  | { readonly kind: 'added' }
  /** The agent's state does not allow new keys. */
  | { readonly kind: 'refused'; readonly agent: Agent }
  | { readonly kind: 'too_many' | 'not_found' }

/** A primary key that was replaced and is in its grace period. */
export type PreviousKey = {
  readonly prefix: string
  /** The key is refused from this moment on. */
  readonly validUntil: number
}

/** The keys of agents beside their primary ones. Every change is recorded in its own commit. */
export type AgentKeys = {
  /** Newest first. Undefined: the scope has no agent with this id. */
  list(scope: Scope, agentId: string): Promise<readonly NamedKey[] | undefined>
  /**
   * Adds a key if the agent's state allows the transition and fewer than `most` of its named keys are valid.
   * Deletes keys that ended before `forgetBefore`, and of the other ended ones all but the newest `keptEnded`.
   */
  add(
    scope: Scope,
    agentId: string,
    key: NewNamedKey,
    rules: {
      readonly step: Transition
      readonly most: number
      readonly forgetBefore: number
      readonly keptEnded: number
    },
    record: ActionRecord,
  ): Promise<AddedKey>
  /** Revokes a key for good; a revoked key keeps its date. Undefined: the scope has no such key. */
  revoke(
    scope: Scope,
    agentId: string,
    keyId: string,
    now: number,
    record: ActionRecord,
  ): Promise<{ readonly revokedAt: number } | undefined>
  /** The previous keys that are valid at `now`, by agent id. */
  previousOf(agentIds: readonly string[], now: number): Promise<ReadonlyMap<string, PreviousKey>>
  /** Ends the grace period of a replaced key; a repeat keeps the first date. Undefined: there is no such key. */
  endPrevious(
    scope: Scope,
    agentId: string,
    now: number,
    record: ActionRecord,
  ): Promise<{ readonly revokedAt: number } | undefined>
}
