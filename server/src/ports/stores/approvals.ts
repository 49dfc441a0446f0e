import type { ActionRecord, Agent, Scope } from './agents.ts'
import type { Notice } from './outbox.ts'

/** Transactions that an owner must approve before they are built. Times are milliseconds since 1970. */

export type ApprovalItem = {
  readonly action: 'stake' | 'unstake' | 'withdraw' | 'join'
  readonly validatorId: string
  readonly amount: bigint
  /** The token it takes from; undefined for a stake. */
  readonly stakedTokenId: string | undefined
  /** For a join: the tokens merged into the first. */
  readonly joinedIds?: readonly string[] | undefined
}

/** A transaction that an agent asks to have built. */
export type ApprovalWish = {
  readonly network: string
  readonly sender: string | undefined
  readonly items: readonly ApprovalItem[]
  /** A hash of the content: equal only for equal wishes. */
  readonly hash: string
}

/** Why approval is needed: the policy rule that the wish exceeds, and the policy's revision. */
export type ApprovalReason = {
  readonly rule: 'approvalAbove'
  readonly revision: number
  readonly limit: bigint
  readonly actual: bigint
}

export type Decision = {
  readonly state: 'approved' | 'refused'
  readonly at: number
  readonly by: { readonly id: string; readonly role: 'user' | 'admin' }
}

export type Approval = {
  readonly id: string
  /** Sequence number among the agent's approvals, from 1. */
  readonly no: number
  readonly wish: ApprovalWish
  readonly reason: ApprovalReason
  /** The stored state, which does not change on expiry. */
  readonly state: 'waiting' | 'approved' | 'refused' | 'used'
  readonly createdAt: number
  /** From this moment on it can be neither decided nor used. */
  readonly expiresAt: number
  readonly decision: Omit<Decision, 'state'> | undefined
  /** The intent that was built with it. */
  readonly intentId: string | undefined
}

export type NewApproval = Pick<Approval, 'id' | 'wish' | 'reason' | 'createdAt' | 'expiresAt'>

/** An approval and the agent that asked for it. */
export type ApprovalOfAgent = Approval & { readonly agent: Pick<Agent, 'id' | 'name'> }

/** `decided`: all that do not wait, expired ones included. */
export type ListedState = Approval['state'] | 'expired' | 'decided'

type DecideOutcome =
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** Its state does not allow the decision, or it has expired. */
  | { readonly kind: 'settled'; readonly approval: Approval }
  /** The agent is revoked: nothing is built for it, so nothing can be approved. */
  | { readonly kind: 'revoked' }
  | { readonly kind: 'no_agent' }
  /** `movedTo`: the replacement of the agent that asked, which has the approval now. */
  | { readonly kind: 'no_approval'; readonly movedTo: string | undefined }

type FoundApproval =
  | { readonly kind: 'found'; readonly approval: Approval }
  | { readonly kind: 'no_agent' }
  /** `movedTo`: the replacement of the agent that asked, which has the approval now. */
  | { readonly kind: 'no_approval'; readonly movedTo: string | undefined }

export type Approvals = {
  /**
   * Adds the approval and notifies the owner in one commit, or returns the usable approval of an equal wish.
   * Undefined: `mostWaiting` approvals are waiting already.
   */
  ask(
    agentNo: number,
    approval: NewApproval,
    terms: { readonly mostWaiting: number; readonly notice: (agent: Agent) => Notice | undefined },
  ): Promise<Approval | undefined>
  find(agentNo: number, id: string): Promise<Approval | undefined>
  /** Newest first; `before` is the previous page's last number. Undefined: the scope has no such agent. */
  list(
    scope: Scope,
    agentId: string,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly Approval[] | undefined>
  read(scope: Scope, agentId: string, id: string): Promise<FoundApproval>
  /**
   * Approvals of all agents in the scope that are in this state now, newest first. `after` is the last id of the
   * previous page. Undefined: there is no approval with this id.
   */
  listByState(
    scope: Scope,
    page: {
      readonly state: ListedState
      readonly now: number
      readonly after: string | undefined
      readonly limit: number
    },
  ): Promise<{ readonly approvals: readonly ApprovalOfAgent[]; readonly isLast: boolean } | undefined>
  /** Checks, changes and records in one commit. Repeating a decision is not recorded again. */
  decide(
    scope: Scope,
    agentId: string,
    id: string,
    decision: Decision,
    record: ActionRecord,
  ): Promise<DecideOutcome>
}
