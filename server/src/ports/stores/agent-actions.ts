import type { ActionName } from '@stakewright/contract'

export type { ActionName }

/** Who did something. */
export type Actor = {
  /** `anybody`: nobody was asked who it is. `operator`: a command on the machine of the service, or a token of one. */
  readonly kind: 'user' | 'agent' | 'anybody' | 'operator'
  readonly id: string | undefined
  readonly role: 'user' | 'admin' | undefined
  /** The id of the session that it was done with. */
  readonly session?: string | undefined
}

/** The circumstances of an action. */
export type ActionContext = {
  readonly at: number
  readonly actor: Actor
  /** Cut short: no whole address is ever stored. */
  readonly truncatedAddress: string
  readonly via: 'rest' | 'mcp' | 'cli'
}

type Limits = { readonly rpm: number; readonly rpd: number }

/** What an action was about besides its agent. */
export type ActionDetails = {
  /** The new key where one was made, otherwise the one that ended. A primary key has no id. */
  readonly key?: { readonly id: string | null; readonly prefix: string; readonly digest: string }
  /** The id of the session that began or ended. */
  readonly session?: string
  /** Null: those of the tier. */
  readonly limits?: { readonly before: Limits | null; readonly after: Limits }
}

/** What is recorded about a change, in the commit of the change. */
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
  readonly action?: ActionName | undefined
  /** From this moment on, and before that one. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export type AgentActions = {
  /** Newest first; `before` is the number of the last one of the page before. */
  list(
    filter: ActionFilter,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly AgentAction[]>
}
