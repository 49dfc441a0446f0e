import type { ActionRecord, Agent, Notice, Scope } from './agents.ts'

/** Transactions that an owner must approve before they are built. Times are milliseconds since 1970. */

export type ApprovalItem = {
  readonly action: 'stake' | 'unstake' | 'withdraw'
  readonly validatorId: string
  readonly amount: bigint
  /** What it takes from; undefined for a stake. */
  readonly stakedTokenId: string | undefined
}

/** A transaction that an agent wants to have built. */
export type ApprovalWish = {
  readonly network: string
  readonly sender: string | undefined
  readonly items: readonly ApprovalItem[]
  /** Equal for equal wishes, and for no others. */
  readonly hash: string
}

export type Decision = {
  readonly state: 'approved' | 'refused'
  readonly at: number
  readonly by: { readonly id: string; readonly role: 'user' | 'admin' }
}

export type Approval = {
  readonly id: string
  /** Numbers the approvals of an agent, from 1. */
  readonly no: number
  readonly wish: ApprovalWish
  /** As it is stored: one whose time is over keeps its state. */
  readonly state: 'waiting' | 'approved' | 'refused' | 'used'
  readonly createdAt: number
  /** From here on it can be neither decided nor used. */
  readonly expiresAt: number
  readonly decision: Omit<Decision, 'state'> | undefined
  /** What was built with it. */
  readonly intentId: string | undefined
}

export type NewApproval = Pick<Approval, 'id' | 'wish' | 'createdAt' | 'expiresAt'>

export type DecideOutcome =
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** Its state does not allow the decision, or its time is over. */
  | { readonly kind: 'settled'; readonly approval: Approval }
  | { readonly kind: 'no_agent' }
  | { readonly kind: 'no_approval' }

export type Approvals = {
  /**
   * Adds it and tells the owner, in one step; one for the same wish that can still be used is returned instead.
   * Undefined: so many wait already.
   */
  ask(
    agentNo: number,
    approval: NewApproval,
    terms: { readonly mostWaiting: number; readonly notice: (agent: Agent) => Notice | undefined },
  ): Promise<Approval | undefined>
  find(agentNo: number, id: string): Promise<Approval | undefined>
  /** Newest first; `before` is the last number of the page before. Undefined: no such agent within the scope. */
  list(
    scope: Scope,
    agentId: string,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly Approval[] | undefined>
  /** Condition, change and record are one step. A decision that was taken before is not recorded again. */
  decide(
    scope: Scope,
    agentId: string,
    id: string,
    decision: Decision,
    record: ActionRecord,
  ): Promise<DecideOutcome>
}
