import { LIMITS } from '@stakewright/contract'
import type { Endpoints } from '#api/endpoint.ts'
import { completeTransactions } from '#api/endpoints/complete-transaction.ts'
import { intentEndpoints } from '#api/endpoints/intents.ts'
import { ownPolicyEndpoints } from '#api/endpoints/mandates/policy.ts'
import { transactionEndpoints } from '#api/endpoints/transactions.ts'
import { buildOnce } from '#api/once/build-once.ts'
import { openPolicyGate } from '#api/policy-gate.ts'
import { notifyOwners } from '#domain/agents/notices.ts'
import { readConfirmed } from '#domain/network/agreement.ts'
import { admitTransactions } from '#domain/policy/admit-transaction.ts'
import { approveTransactions } from '#domain/policy/approvals/approve-transaction.ts'
import { repeatTransactions } from '#domain/policy/cases/repeat-transaction.ts'
import { judgeTransactions } from '#domain/policy/judge-transaction.ts'
import type { PoliciesInForce } from '#domain/policy/policies-in-force.ts'
import { markExecuted } from '#domain/policy/reservations/mark-executed.ts'
import { releaseReservation } from '#domain/policy/reservations/release-reservation.ts'
import { signIntents } from '#domain/staking/intents/sign-intent.ts'
import { buildTransactions } from '#domain/staking/transactions/build-transaction.ts'
import { simulateTransactions } from '#domain/staking/transactions/simulate-transaction.ts'
import { approvalPath } from '#web/serve-web.ts'
import { NETWORK_RULES } from '../../networks.ts'
import type { NetworkState } from './network-state.ts'
import { digest, type PublicUrl, type Wired } from './wired.ts'

/** The endpoints that build transactions, and those of the agent's own policy. */
export function buildEndpoints(
  wired: Wired,
  { network, chainEpoch, reservations }: NetworkState,
  inForce: PoliciesInForce,
  refresh: () => Promise<void>,
  publicUrl: PublicUrl,
): Endpoints {
  const { clock, logger } = wired.runtime
  const { chain, nodes, witnesses, secrets, keptBuilds, intentSigner } = wired.parts
  const build = buildTransactions({
    chain,
    readConfirmed: readConfirmed({ network, witnesses, nodes, refresh }),
    clock,
  })
  const judging = { inForce, reservations, chain, chainEpoch, clock }
  const admit = admitTransactions({ ...judging, secrets, approve: approvalsOf(wired, network, publicUrl) })
  const gate = openPolicyGate({
    admit,
    markExecuted: markExecuted(judging),
    repeat: repeatTransactions(judging),
  })
  return {
    ...transactionEndpoints({
      build,
      network,
      gate,
      approvalPage: approvalPageAt(publicUrl),
      once: buildOnce({
        kept: keptBuilds,
        gate,
        secrets,
        clock,
        network: chain.network,
        epoch: () => network.peek()?.snapshot.epoch.number,
      }),
      complete: completeTransactions({
        signIntent: signIntents({ signer: intentSigner, digest, clock, secrets }),
        simulate: simulateTransactions({ chain, logger }),
      }),
    }),
    ...ownPolicyEndpoints({
      judge: judgeTransactions(judging),
      release: releaseReservation(judging),
      build,
      inForce,
      clock,
      token: NETWORK_RULES[chain.network].token,
    }),
    ...intentEndpoints({ signer: intentSigner }),
  }
}

const approvalsOf = (
  { runtime: { clock }, parts: { approvals, secrets } }: Wired,
  network: NetworkState['network'],
  publicUrl: PublicUrl,
) =>
  approveTransactions({
    approvals,
    clock,
    digest,
    secrets,
    notify: notifyOwners(secrets, LIMITS.noticeMailsPerDay, () => `${publicUrl()}/console`),
    pageOf: approvalPageAt(publicUrl),
    token: () => network.read().snapshot.token,
    rules: { approvalMs: LIMITS.approvalMs, mostWaiting: LIMITS.approvalsWaiting },
  })

const approvalPageAt = (publicUrl: PublicUrl) => (agentId: string, approvalId: string) =>
  `${publicUrl()}${approvalPath(agentId, approvalId)}`
