import { LIMITS } from '@stakewright/contract'
import type { Endpoints } from '#api/endpoint.ts'
import { agentLogEndpoints } from '#api/endpoints/identity/agent-log.ts'
import { agentsEndpoints } from '#api/endpoints/identity/agents.ts'
import { keyRevocationEndpoints } from '#api/endpoints/identity/key-revocation.ts'
import { keyEndpoints } from '#api/endpoints/identity/keys.ts'
import { registrationEndpoints } from '#api/endpoints/identity/registration.ts'
import { approvalEndpoints } from '#api/endpoints/mandates/approvals.ts'
import { policyEndpoints } from '#api/endpoints/mandates/policy.ts'
import { reservationEndpoints } from '#api/endpoints/mandates/reservations.ts'
import { doOnce } from '#api/once/do-once.ts'
import { reportLeakedKey, revokeOwnKey } from '#domain/agents/keys/revoke-by-key.ts'
import { notifyOwners } from '#domain/agents/notices.ts'
import { readAgentLog } from '#domain/agents/read-agent-log.ts'
import { listActions } from '#domain/audit/list-actions.ts'
import { issueChallenge, proveWallet } from '#domain/users/wallet-proof.ts'
import { NETWORK_RULES } from '../../networks.ts'
import type { NetworkState } from './network-state.ts'
import { registrationQuota, walletProofs } from './proofs.ts'
import { digest, type PublicUrl, type Wired } from './wired.ts'

/** The endpoints of agents: registration, keys, policies, approvals and logs. */
export function agentsAndKeysEndpoints(
  wired: Wired,
  { reservations }: Pick<NetworkState, 'reservations'>,
  publicUrl: PublicUrl,
): Endpoints {
  const { config, runtime, parts } = wired
  const { clock } = runtime
  const { agents, actions, agentKeys, approvals, chain, policies, requestLog, secrets } = parts
  const { token } = NETWORK_RULES[chain.network]
  const perOwner = config.limits.agentsPerOwner
  const notify = notifyOwners(secrets, LIMITS.noticeMailsPerDay, () => `${publicUrl()}/console`)
  const once = doOnce({ completed: parts.completedRequests, secrets, clock })
  const revoking = { agents, secrets, clock, notify }
  return {
    ...registrationEndpoints({
      agents,
      secrets,
      clock,
      verification: verificationMails(publicUrl),
      quota: registrationQuota(config),
      once,
      perOwner,
      userIdOf: parts.userTokens.userIdOf,
      issueChallenge: issueChallenge(walletProofs(wired, publicUrl)),
      proveWallet: proveWallet(walletProofs(wired, publicUrl)),
    }),
    ...agentsEndpoints({
      agents,
      keys: agentKeys,
      policies,
      requestLog,
      secrets,
      clock,
      notify,
      once,
      perOwner,
    }),
    ...keyEndpoints({
      keys: agentKeys,
      secrets,
      clock,
      notify,
      mostKeys: LIMITS.keysPerAgent,
      keptEnded: LIMITS.endedKeysPerAgent,
      once,
    }),
    ...keyRevocationEndpoints({
      revokeOwnKey: revokeOwnKey(revoking),
      reportLeakedKey: reportLeakedKey(revoking),
    }),
    ...policyEndpoints({ policies, clock, digest, notify, limits: POLICY_LIMITS }, token),
    ...approvalEndpoints({ approvals, clock, notify }, token),
    ...reservationEndpoints({ managed: parts.managedReservations, reservations, chain, clock }, token),
    ...agentLogEndpoints({
      agentLog: readAgentLog({ agents, requestLog, actions, clock }),
      listActions: listActions({ actions }),
      token,
    }),
  }
}

const POLICY_LIMITS = { perDay: LIMITS.policyChangesPerDay, inForce: LIMITS.policiesInForce }

const verificationMails = (publicUrl: PublicUrl) => ({
  verificationMs: LIMITS.verificationMs,
  linksPerNetworkDay: LIMITS.linkMailsPerNetworkDay,
  linksPerDay: LIMITS.linkMailsPerDay,
  get publicUrl() {
    return publicUrl()
  },
})
