import type { ActionRecord, Agent, Notice, Scope } from './agents.ts'

/** Transactions that an owner must approve before they are built. Times are milliseconds since 1970. */

export type ApprovalItem = {
  readonly action: 'stake' | 'unstake' | 'withdraw' | 'join'
  readonly validatorId: string
  readonly amount: bigint
  /** What it takes from; undefined for a stake. */
  readonly stakedTokenId: string | undefined
  /** Of a join: the tokens that end. */
  readonly joinedIds?: readonly string[] | undefined
}

/** A transaction that an agent wants to have built. */
export type ApprovalWish = {
  readonly network: string
  readonly sender: string | undefined
  readonly items: readonly ApprovalItem[]
  /** Equal for equal wishes, and for no others. */
  readonly hash: string
}

/** Why an owner is asked: the rule that the wish goes beyond, and the revision of the policy that has it. */
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
  /** Numbers the approvals of an agent, from 1. */
  readonly no: number
  readonly wish: ApprovalWish
  readonly reason: ApprovalReason
  /** As it is stored: one whose time is over keeps its state. */
  readonly state: 'waiting' | 'approved' | 'refused' | 'used'
  readonly createdAt: number
  /** From here on it can be neither decided nor used. */
  readonly expiresAt: number
  readonly decision: Omit<Decision, 'state'> | undefined
  /** What was built with it. */
  readonly intentId: string | undefined
}

export type NewApproval = Pick<Approval, 'id' | 'wish' | 'reason' | 'createdAt' | 'expiresAt'>

/** An approval with the agent that asks for it. */
export type ApprovalOfAgent = Approval & { readonly agent: Pick<Agent, 'id' | 'name'> }

export type DecideOutcome =
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** Its state does not allow the decision, or its time is over. */
  | { readonly kind: 'settled'; readonly approval: Approval }
  /** Nothing is built for the agent any more, so nothing can be approved. */
  | { readonly kind: 'revoked' }
  | { readonly kind: 'no_agent' }
  /** `movedTo`: the agent that has it now, because it has replaced the one that asked. */
  | { readonly kind: 'no_approval'; readonly movedTo: string | undefined }

export type FoundApproval =
  | { readonly kind: 'found'; readonly approval: Approval }
  | { readonly kind: 'no_agent' }
  /** `movedTo`: the agent that has it now, because it has replaced the one that asked. */
  | { readonly kind: 'no_approval'; readonly movedTo: string | undefined }

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
  /** One of them. */
  read(scope: Scope, agentId: string, id: string): Promise<FoundApproval>
  /**
   * Those of all agents within the scope that can still be decided for the first time; newest first. `after` is the id
   * of the last one of the page before. Undefined: there is none with this id.
   */
  listWaiting(
    scope: Scope,
    page: { readonly now: number; readonly after: string | undefined; readonly limit: number },
  ): Promise<{ readonly approvals: readonly ApprovalOfAgent[]; readonly isLast: boolean } | undefined>
  /** Condition, change and record are one step. A decision that was taken before is not recorded again. */
  decide(
    scope: Scope,
    agentId: string,
    id: string,
    decision: Decision,
    record: ActionRecord,
  ): Promise<DecideOutcome>
}
