import type { ActionName, ActorKind, KeyScope } from '@stakewright/contract'

export type { ActionName, ActorKind }

/** The author of an action. */
export type Actor = {
  /** `anybody`: not authenticated. `operator`: a command on the service's machine, or a token made by one. */
  readonly kind: ActorKind
  readonly id: string | undefined
  readonly role: 'user' | 'admin' | undefined
  /** The session in which it was done. */
  readonly session?: string | undefined
}

/** The circumstances of an action. */
export type ActionContext = {
  readonly at: number
  readonly actor: Actor
  /** Truncated: a full address is never stored. */
  readonly truncatedAddress: string
  readonly via: 'rest' | 'mcp' | 'cli'
}

type Limits = { readonly rpm: number; readonly rpd: number }

type KeyTerms = {
  readonly scopes: readonly KeyScope[]
  readonly networks: readonly string[]
  /** Null: no end. */
  readonly expiresAt: number | null
}

/** A policy change that does nothing but pause or resume. */
export type PauseChange = 'paused' | 'resumed'

/** The things that an action changed besides its agent. */
export type ActionDetails = {
  /** The key that was made, otherwise the one that ended. A primary key has no id. */
  readonly key?: {
    readonly id: string | null
    readonly prefix: string
    readonly digest: string
    /** Set for a named key, in the action that made it. */
    readonly name?: string
    /** The terms that a named key was made with. */
    readonly terms?: KeyTerms
  }
  /** The id of the session that began or ended. */
  readonly session?: string
  /** Null: the tier's limits. */
  readonly limits?: { readonly before: Limits | null; readonly after: Limits }
  /** The policy that was set. */
  readonly policy?: {
    readonly revision: number
    readonly hash: string
    /** Set if the change did nothing else. */
    readonly change?: PauseChange
  }
  /** The id of the approval that was decided. */
  readonly approval?: string
  /** The digest of the recovery code that was used. */
  readonly recoveryCode?: string
}

/** The action recorded in the commit of a change. */
export type ActionToRecord = ActionContext & { readonly action: ActionName }

/** An action as it was recorded. */
export type AgentAction = ActionContext & {
  readonly no: number
  readonly action: ActionName
  readonly agentId: string
  readonly details: ActionDetails
}

export type ActionFilter = {
  readonly agentId?: string | undefined
  readonly actorId?: string | undefined
  readonly actorKind?: ActorKind | undefined
  readonly action?: ActionName | undefined
  /** From `from` on, until before `to`. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export type AgentActions = {
  /** Newest first; `before` is the last number of the previous page. */
  list(
    filter: ActionFilter,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly AgentAction[]>
}
