import { neededScope } from '@stakewright/contract'
import type { AdmitTransaction } from '#domain/policy/admit-transaction.ts'
import { approvalNotFound } from '#domain/policy/approvals/approve-transaction.ts'
import type { Permit } from '#domain/staking/transactions/build-transaction.ts'
import { Fault, withoutNext } from '../fault.ts'
import type { Call, Caller } from './call.ts'

type AgentCall = Pick<Call<Extract<Caller, { kind: 'agent' }>>, 'caller' | 'signal'>

type Asked = { readonly sender?: string | undefined; readonly approvalId?: string | undefined }

/** The one place where builds are held against the policy of the caller's agent, whatever the transport. */
export type PolicyGate = {
  /** What a build asks before it builds; undefined for an agent without a policy, which costs nothing. */
  permitFor(call: AgentCall, asked: Asked, items?: 'batch'): Permit | undefined
}

export function openPolicyGate({ admit }: { readonly admit: AdmitTransaction }): PolicyGate {
  return {
    permitFor({ caller: { agent }, signal }, { sender, approvalId }, items) {
      // Without a policy nothing was ever asked for.
      if (agent.policyRevision === undefined && approvalId !== undefined) throw approvalNotFound()
      if (agent.policyRevision === undefined) return undefined
      const isBatch = items === 'batch'
      const mayRead = agent.key?.scopes.includes(neededScope('ownPolicy')) ?? true
      return (view, planned) =>
        admit(agent, { view, planned, sender, isBatch, approvalId }, signal()).catch((error: unknown) => {
          // A key that only builds cannot read the policy, which is where a refusal leads on to.
          throw error instanceof Fault && !mayRead ? withoutNext(error) : error
        })
    },
  }
}
