import { neededScope } from '@stakewright/contract'
import type { AdmitTransaction } from '#domain/policy/admit-transaction.ts'
import { approvalNotFound } from '#domain/policy/approvals/approve-transaction.ts'
import type { RepeatTransaction } from '#domain/policy/cases/repeat-transaction.ts'
import type { MarkExecuted } from '#domain/policy/reservations/mark-executed.ts'
import type { Permit } from '#domain/staking/transactions/build-transaction.ts'
import type { PlannedAction } from '#domain/staking/transactions/plan-action.ts'
import { Fault } from '../fault.ts'
import { type BuildEntry, noteBuild } from './audit-entry.ts'
import type { AgentCall } from './call.ts'

type BuildInput = { readonly sender?: string | undefined; readonly approvalId?: string | undefined }

type Needs = {
  readonly admit: AdmitTransaction
  readonly markExecuted: MarkExecuted
  readonly repeat: RepeatTransaction
}

/** The one place that checks builds against the policy of the caller's agent, for all transports. */
export type PolicyGate = {
  /** The check that a build runs before it builds. For an agent without a policy, a stake needs no store access. */
  checkBuild(call: AgentCall, input: BuildInput, items?: 'batch'): Permit
  /** Refuses to replay an earlier build while the policy forbids all builds. */
  checkRepeat(call: Pick<AgentCall, 'caller'>): Promise<void>
}

export function openPolicyGate({ admit, markExecuted, repeat }: Needs): PolicyGate {
  return {
    async checkRepeat({ caller: { agent } }) {
      if (agent.policyRevision !== undefined) await repeat(agent).catch(hidingNextWithoutScope(agent))
    },
    checkBuild({ caller: { agent }, signal, audit }, { sender, approvalId }, items) {
      // Without a policy no approval was ever requested.
      if (agent.policyRevision === undefined && approvalId !== undefined) throw approvalNotFound()
      const isBatch = items === 'batch'
      return async (view, planned) => {
        noteBuild(audit, { amount: movedBy(planned) })
        // Also without a policy: the stake taken out may be counted in the window of another agent.
        for (const owner of ownersIn(planned)) await markExecuted(owner, signal())
        if (agent.policyRevision === undefined) return undefined
        const transaction = { view, planned, sender, isBatch, approvalId }
        const admitted = admit(agent, transaction, signal())
        if (approvalId !== undefined) await admitted.catch(notingApproval(audit, approvalId))
        const allowed = await admitted.catch(hidingNextWithoutScope(agent))
        if (approvalId !== undefined) noteBuild(audit, { approvalId })
        return allowed
      }
    },
  }
}

/** Removes `next` from refusals for keys without the scope to read the policy, because `next` is that call. */
const hidingNextWithoutScope =
  ({ key }: AgentCall['caller']['agent']) =>
  (error: unknown): never => {
    const mayRead = key?.scopes.includes(neededScope('ownPolicy')) ?? true
    throw error instanceof Fault && !mayRead ? error.with({ next: undefined }) : error
  }

/** Notes the approval in the audit log if the refusal is about it, because then the approval exists. */
const notingApproval = (audit: BuildEntry, approvalId: string) => (error: unknown) => {
  const isAbout = error instanceof Fault && error.details?.some(({ field }) => field === 'approvalId')
  if (isAbout) noteBuild(audit, { approvalId })
}

/** The sum of the amounts; a join moves nothing. */
const movedBy = (planned: readonly PlannedAction[]): bigint =>
  planned.reduce((sum, { action, moved }) => (action.kind === 'join' ? sum : sum + moved.amount), 0n)

/** The owners of the tokens that are taken out. */
const ownersIn = (planned: readonly PlannedAction[]): ReadonlySet<string> =>
  new Set(planned.flatMap(({ moved }) => moved.owner ?? []))
