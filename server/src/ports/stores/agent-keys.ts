import type { KeyScope } from '@stakewright/contract'
import type { ActionRecord, Agent, KeyRecord, Scope, Transition } from './agents.ts'

export type { KeyScope }

/** What a named key is limited to. The primary key of an agent is limited by nothing but its agent. */
export type KeyLimits = {
  readonly id: string
  readonly scopes: readonly KeyScope[]
  /** Networks in CIDR notation; none: from everywhere. */
  readonly networks: readonly string[]
}

/** A key of an agent beside its primary one. */
export type NamedKey = KeyLimits & {
  readonly name: string
  readonly prefix: string
  readonly createdAt: number
  /** From this moment on it is refused. */
  readonly expiresAt: number | undefined
  /** To the minute. */
  readonly lastUsedAt: number | undefined
  readonly revokedAt: number | undefined
}

export type NewNamedKey = Omit<NamedKey, 'prefix' | 'lastUsedAt' | 'revokedAt'> & { readonly key: KeyRecord }

export type AddedKey =
  | { readonly kind: 'added' }
  /** The state of the agent does not allow it. */
  | { readonly kind: 'refused'; readonly agent: Agent }
  | { readonly kind: 'too_many' | 'not_found' }

/** The named keys of agents. What changes is recorded in the commit of the change. */
export type AgentKeys = {
  /** Newest first. Undefined: no agent with this id is within the scope. */
  list(scope: Scope, agentId: string): Promise<readonly NamedKey[] | undefined>
  /**
   * Adds a key, if the agent may take the step and fewer than `most` of its named keys work. Keys that ended before
   * `forgetBefore` are forgotten.
   */
  add(
    scope: Scope,
    agentId: string,
    key: NewNamedKey,
    rules: { readonly step: Transition; readonly most: number; readonly forgetBefore: number },
    record: ActionRecord,
  ): Promise<AddedKey>
  /** Ends a key for good. One that was revoked stays as it is. Undefined: there is none within the scope. */
  revoke(
    scope: Scope,
    agentId: string,
    keyId: string,
    now: number,
    record: ActionRecord,
  ): Promise<{ readonly revokedAt: number } | undefined>
}
