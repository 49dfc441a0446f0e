import { findBreaches } from './cases/find-breaches.ts'
import {
  type Case,
  type HeldAgent,
  type JudgeNeeds,
  openCases,
  type PlannedTransaction,
} from './cases/open-case.ts'
import type { Breach } from './wish.ts'

type Verdict = Pick<Case, 'policy'> & {
  readonly needsApproval: boolean
  readonly breaches: readonly Breach[]
}

/** Checks a planned transaction against the agent's policy like a build, without reserving. */
export function judgeTransactions(needs: JudgeNeeds) {
  const open = openCases(needs)
  const find = findBreaches(needs)
  return async (
    agent: HeldAgent,
    transaction: PlannedTransaction,
    deadline: AbortSignal,
  ): Promise<Verdict> => {
    if (agent.policyRevision === undefined) return { policy: undefined, needsApproval: false, breaches: [] }
    const found = await open(agent, transaction, deadline)
    const breaches = await find(agent, found, deadline)
    return { policy: found.policy, needsApproval: found.approvalReason !== undefined, breaches }
  }
}

export type JudgeTransaction = ReturnType<typeof judgeTransactions>
