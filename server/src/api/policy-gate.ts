import { neededScope } from '@stakewright/contract'
import type { AdmitTransaction } from '#domain/policy/admit-transaction.ts'
import { approvalNotFound } from '#domain/policy/approvals/approve-transaction.ts'
import type { RepeatTransaction } from '#domain/policy/cases/repeat-transaction.ts'
import type { SightReservations } from '#domain/policy/reservations/sight-reservations.ts'
import type { Permit } from '#domain/staking/transactions/build-transaction.ts'
import type { PlannedAction } from '#domain/staking/transactions/plan-action.ts'
import { Fault } from '../fault.ts'
import { type BuildEntry, noteBuild } from './audit-entry.ts'
import type { AgentCall } from './call.ts'

type BuildInput = { readonly sender?: string | undefined; readonly approvalId?: string | undefined }

type Needs = {
  readonly admit: AdmitTransaction
  readonly sight: SightReservations
  readonly repeat: RepeatTransaction
}

/** The one place where builds are held against the policy of the caller's agent, whatever the transport. */
export type PolicyGate = {
  /** What a build asks before it builds. For an agent without a policy, a stake costs nothing. */
  permitFor(call: AgentCall, input: BuildInput, items?: 'batch'): Permit
  /** Refuses to give out again what was built before, while the policy lets nothing out. */
  checkRepeat(call: Pick<AgentCall, 'caller'>): Promise<void>
}

export function openPolicyGate({ admit, sight, repeat }: Needs): PolicyGate {
  return {
    async checkRepeat({ caller: { agent } }) {
      if (agent.policyRevision !== undefined) await repeat(agent).catch(leadingOn(agent))
    },
    permitFor({ caller: { agent }, signal, audit }, { sender, approvalId }, items) {
      // Without a policy nothing was ever asked for.
      if (agent.policyRevision === undefined && approvalId !== undefined) throw approvalNotFound()
      const isBatch = items === 'batch'
      return async (view, planned) => {
        noteBuild(audit, { amount: movedBy(planned) })
        // Whoever takes it out: the stake may be one that another agent's window counts.
        for (const owner of ownersIn(planned)) await sight(owner, signal())
        if (agent.policyRevision === undefined) return undefined
        const transaction = { view, planned, sender, isBatch, approvalId }
        const admitted = admit(agent, transaction, signal())
        if (approvalId !== undefined) await admitted.catch(namingApproval(audit, approvalId))
        const allowed = await admitted.catch(leadingOn(agent))
        if (approvalId !== undefined) noteBuild(audit, { approvalId })
        return allowed
      }
    },
  }
}

/** A key that only builds cannot read the policy, which is where a refusal leads on to. */
const leadingOn =
  ({ key }: AgentCall['caller']['agent']) =>
  (error: unknown): never => {
    const mayRead = key?.scopes.includes(neededScope('ownPolicy')) ?? true
    throw error instanceof Fault && !mayRead ? error.with({ next: undefined }) : error
  }

/** A refusal that is about the approval has found it, so the log may name it. */
const namingApproval = (audit: BuildEntry, approvalId: string) => (error: unknown) => {
  const isAbout = error instanceof Fault && error.details?.some(({ field }) => field === 'approvalId')
  if (isAbout) noteBuild(audit, { approvalId })
}

/** A join moves nothing. */
const movedBy = (planned: readonly PlannedAction[]): bigint =>
  planned.reduce((sum, { action, moved }) => (action.kind === 'join' ? sum : sum + moved.amount), 0n)

/** Whose tokens are taken from. */
const ownersIn = (planned: readonly PlannedAction[]): ReadonlySet<string> =>
  new Set(planned.flatMap(({ moved }) => moved.owner ?? []))
