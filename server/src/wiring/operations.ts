import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { LIMITS, TIERS } from '@stakewright/contract'
import { REFRESH_KEYS_MS } from '#adapters/jwt/user-tokens.ts'
import type { Endpoints } from '#api/endpoint.ts'
import { agentEndpoints } from '#api/endpoints/agent.ts'
import { allocationEndpoints } from '#api/endpoints/allocation.ts'
import { approvalEndpoints } from '#api/endpoints/approvals.ts'
import { backtestEndpoints } from '#api/endpoints/backtest.ts'
import { completeTransactions } from '#api/endpoints/complete-transaction.ts'
import { agentLogEndpoints } from '#api/endpoints/identity/agent-log.ts'
import { agentsEndpoints } from '#api/endpoints/identity/agents.ts'
import { keyRevocationEndpoints } from '#api/endpoints/identity/key-revocation.ts'
import { keyEndpoints } from '#api/endpoints/identity/keys.ts'
import { registrationEndpoints } from '#api/endpoints/identity/registration.ts'
import { sessionEndpoints } from '#api/endpoints/identity/sessions.ts'
import { signInEndpoints } from '#api/endpoints/identity/sign-in.ts'
import { totpEndpoints } from '#api/endpoints/identity/totp.ts'
import { intentEndpoints } from '#api/endpoints/intents.ts'
import { networkEndpoints } from '#api/endpoints/network.ts'
import { ownPolicyEndpoints, policyEndpoints } from '#api/endpoints/policy.ts'
import { positionEndpoints } from '#api/endpoints/positions.ts'
import { sandboxEndpoints } from '#api/endpoints/sandbox.ts'
import { serviceEndpoints } from '#api/endpoints/service.ts'
import { transactionEndpoints } from '#api/endpoints/transactions.ts'
import { validatorEndpoints } from '#api/endpoints/validators.ts'
import { wholeNetworkEndpoints } from '#api/endpoints/whole-network.ts'
import { buildOnce } from '#api/once/build-once.ts'
import { doOnce } from '#api/once/do-once.ts'
import { openPolicyGate } from '#api/policy-gate.ts'
import { reportLeakedKey, revokeOwnKey } from '#domain/agents/keys/revoke-by-key.ts'
import { notifyOwners } from '#domain/agents/notices.ts'
import { readAgentLog } from '#domain/agents/read-agent-log.ts'
import { issueSandboxKey, revokeSandboxKeys } from '#domain/agents/registration/sandbox-keys.ts'
import { anchorAudit } from '#domain/audit/anchor-audit.ts'
import { dropOldRecords } from '#domain/audit/drop-old-records.ts'
import { listActions } from '#domain/audit/list-actions.ts'
import { prepareAuditDays } from '#domain/audit/prepare-audit-days.ts'
import { signAudit } from '#domain/audit/sign-audit.ts'
import { verifyAudit } from '#domain/audit/verify-audit.ts'
import { deliverMail } from '#domain/mail/deliver-mail.ts'
import { readConfirmed } from '#domain/network/agreement.ts'
import { currentNetwork } from '#domain/network/current-network.ts'
import { currentPrice } from '#domain/network/price.ts'
import { refreshNetwork, restoreNetwork } from '#domain/network/refresh/refresh-network.ts'
import { refreshTogether } from '#domain/network/refresh/refresh-together.ts'
import { takeNetwork } from '#domain/network/refresh/take-network.ts'
import { admitTransactions, releaseReservation } from '#domain/policy/admit-transaction.ts'
import { approveTransactions } from '#domain/policy/approvals/approve-transaction.ts'
import { judgeTransactions } from '#domain/policy/judge-transaction.ts'
import { policiesInForce } from '#domain/policy/policies-in-force.ts'
import { sightReservations, watchReservations } from '#domain/policy/reservations/sight-reservations.ts'
import { recordForecasts } from '#domain/staking/forecast/record-forecasts.ts'
import { signIntents } from '#domain/staking/intents/sign-intent.ts'
import { readPositions } from '#domain/staking/read-positions.ts'
import { readHeldTokens } from '#domain/staking/rebalance/read-held-tokens.ts'
import { readRewards } from '#domain/staking/rewards/read-rewards.ts'
import { buildTransactions } from '#domain/staking/transactions/build-transaction.ts'
import { simulateTransactions } from '#domain/staking/transactions/simulate-transaction.ts'
import { exchangeCode } from '#domain/users/exchange-code.ts'
import { requestCode } from '#domain/users/request-code.ts'
import { beginSession, endSession, listSessions } from '#domain/users/sessions.ts'
import { issueChallenge, proveWallet, type WalletProof } from '#domain/users/wallet-proof.ts'
import { scheduleJobs } from '#jobs/schedule.ts'
import { accuracyEndpoints } from '../api/endpoints/accuracy.ts'
import type { Config } from '../config.ts'
import { HOUR_MS } from '../durations.ts'
import { backtestInThread } from './backtest/backtest-in-thread.ts'
import type { Parts } from './open-parts.ts'
import type { Runtime } from './runtime.ts'

/** The configuration and everything that is open: what operations are built from. */
export type Wired = { readonly config: Config; readonly runtime: Runtime; readonly parts: Parts }

export type NetworkState = ReturnType<typeof openNetworkState>

const digest = (text: string) => hash('sha256', text, 'hex')

const MAIL_RULES = {
  verificationMs: LIMITS.verificationMs,
  linksPerNetworkDay: LIMITS.linkMailsPerNetworkDay,
  linksPerDay: LIMITS.linkMailsPerDay,
}
const SIGN_IN_RULES = {
  codeMs: LIMITS.codeMs,
  longCodeMs: LIMITS.longCodeMs,
  tries: { perNetwork: LIMITS.codeTries, byStrangers: LIMITS.codeTriesByStrangers },
  mailsPerDay: LIMITS.codeMailsPerDay,
  resendAfterMs: LIMITS.codeResendAfterMs,
  noticesPerDay: LIMITS.noticeMailsPerDay,
  factorTries: LIMITS.factorTries,
}
const FACTOR_RULES = {
  enrolMs: LIMITS.enrolTotpMs,
  tries: LIMITS.factorTries,
  recoveryCodes: LIMITS.recoveryCodes,
  noticesPerDay: LIMITS.noticeMailsPerDay,
}

/** The data of the chain that requests read: the newest snapshot and price, and what replaces them. */
export function openNetworkState({
  runtime: { clock },
  parts: { chain, snapshots, feed, forecasts, readingTurn },
}: Wired) {
  const network = currentNetwork({ clock })
  const watching = { chain, snapshots, network, clock, digest }
  const read = refreshNetwork(watching)
  const together =
    readingTurn &&
    refreshTogether({
      read,
      take: takeNetwork({ name: chain.network, ...watching }),
      tell: async () => {
        const view = network.peek()
        if (view) await snapshots.noteSeen(chain.network, { contentId: view.contentId, ...view.snapshot })
      },
      turn: readingTurn,
      elapsed: () => performance.now(),
    })
  return {
    network,
    price: currentPrice({ feed, clock }),
    refreshNetwork: together?.refresh ?? read,
    takeNetwork: together?.takeNews,
    /** The next refresh reads the chain itself. */
    wantOwnReading: () => together?.wantOwn(),
    recordForecasts: recordForecasts({ network, forecasts, clock, pause: setImmediate }),
    restoreNetwork: restoreNetwork(watching),
  }
}

/** What happens without a request. */
export function listJobs({ config, runtime, parts }: Wired, state: NetworkState) {
  const { price, refreshNetwork, takeNetwork, recordForecasts } = state
  const { clock, logger, meters, random } = runtime
  const { outbox, mailer, userTokens, keyProofs, upkeep } = parts
  return scheduleJobs({
    refreshNetwork,
    takeNetwork,
    recordForecasts,
    refreshNetworkMs: config.refreshMs,
    price,
    deliverMail: deliverMail({ outbox, mailer, clock, chance: random, logger }),
    refreshIssuerKeys: userTokens.refreshKeys,
    refreshIssuerKeysMs: REFRESH_KEYS_MS,
    prepareAuditDays: prepareAuditDays({ upkeep, clock }),
    forgetUnusedKeys: keyProofs.forgetUnused,
    anchorAudit: anchorAudit({ upkeep, anchors: parts.anchors, clock, logger }),
    signAudit: signAudit({ upkeep, clock, logger }),
    dropOldRecords: dropOldRecords({
      upkeep,
      clock,
      logger,
      retentionDays: config.auditRetentionDays,
      approvalsKeptDays: LIMITS.approvalsKeptDays,
    }),
    watchReservations: watchReservations({ reservations: parts.reservations, chain: parts.chain, clock }),
    forgetBuilds: () => parts.keptBuilds.forget(clock.now() - HOUR_MS),
    logger,
    meters,
  })
}

/** The endpoints of data, which read the network state. `refresh` reads the chain now. */
export function dataEndpoints(
  { runtime, parts }: Wired,
  { network, price }: NetworkState,
  refresh: () => Promise<void>,
  publicUrl: () => string,
): Endpoints {
  const { clock, version } = runtime
  const { chain, sandbox, witnesses } = parts
  const confirmed = readConfirmed({ network, witnesses, refresh })
  const build = buildTransactions({ chain, readConfirmed: confirmed, clock })
  const inForce = policiesInForce({ policies: parts.policies })
  const judging = { inForce, reservations: parts.reservations, chain, clock }
  const { approvals, secrets } = parts
  const approve = approveTransactions({
    approvals,
    clock,
    digest,
    secrets,
    notify: notifyOwners(secrets, LIMITS.noticeMailsPerDay, () => `${publicUrl()}/console`),
    pageOf: (agentId, approvalId) => `${publicUrl()}/approve/${agentId}/${approvalId}`,
    rules: { approvalMs: LIMITS.approvalMs, mostWaiting: LIMITS.approvalsWaiting },
  })
  const admit = admitTransactions({ ...judging, secrets, approve })
  const positionsOf = readPositions({ chain, network })
  return {
    ...validatorEndpoints({ network }),
    ...wholeNetworkEndpoints({ network }),
    ...networkEndpoints({ network, price, clock, version }),
    ...accuracyEndpoints({ network, forecasts: parts.forecasts }),
    ...agentEndpoints({ network }),
    ...allocationEndpoints({ network, heldTokens: readHeldTokens({ chain }), inForce, clock }),
    ...backtestEndpoints({ network, run: backtestInThread() }),
    ...positionEndpoints({ chain, network, positionsOf, rewardsOf: readRewards({ positionsOf }) }),
    ...transactionEndpoints({
      build,
      network,
      gate: openPolicyGate({ admit, sight: sightReservations(judging) }),
      once: buildOnce({ kept: parts.keptBuilds, secrets: parts.secrets, clock, network: chain.network }),
      complete: completeTransactions({
        signIntent: signIntents({ signer: parts.intentSigner, digest, clock, secrets }),
        simulate: simulateTransactions({ chain, logger: runtime.logger }),
      }),
    }),
    ...ownPolicyEndpoints({
      judge: judgeTransactions(judging),
      release: releaseReservation(judging),
      build,
      inForce,
      clock,
    }),
    ...intentEndpoints({ signer: parts.intentSigner }),
    ...(sandbox &&
      sandboxEndpoints({
        sandbox,
        issueKey: issueSandboxKey(sandboxKeys(runtime, parts)),
        network,
        refresh,
      })),
  }
}

/** The endpoints of agents and users. The service's own URL is known only once it listens, so it is asked for. */
export function identityEndpoints({ config, runtime, parts }: Wired, publicUrl: () => string): Endpoints {
  const { clock } = runtime
  const { agents, actions, codes, secrets, requestLog, userTokens, challenges, walletSignatures } = parts
  const quota = registrationQuota(config)
  const perOwner = config.limits.agentsPerOwner
  const challengeMs = LIMITS.walletChallengeMs
  const { zkLogins } = parts
  const wallets = {
    challenges,
    signatures: walletSignatures,
    zkLogins,
    secrets,
    clock,
    publicUrl,
    challengeMs,
  }
  const prove = proveWallet(wallets)
  const adminEmails = new Set(config.tokens.adminEmails)
  const notify = notifyOwners(secrets, LIMITS.noticeMailsPerDay, () => `${publicUrl()}/console`)
  const { sessions } = parts
  const begin = beginSession({ sessions, tokens: userTokens, secrets, clock })
  const once = doOnce({ done: parts.doneRequests, secrets, clock })
  const revoking = { agents, secrets, clock, notify }
  const verification = {
    ...MAIL_RULES,
    get publicUrl() {
      return publicUrl()
    },
  }
  return {
    ...registrationEndpoints({
      agents,
      codes,
      secrets,
      clock,
      verification,
      quota,
      once,
      perOwner,
      issueChallenge: issueChallenge(wallets),
      proveWallet: prove,
    }),
    ...agentsEndpoints({ agents, secrets, clock, notify, once, perOwner }),
    ...keyEndpoints({ keys: parts.agentKeys, secrets, clock, notify, mostKeys: LIMITS.keysPerAgent, once }),
    ...keyRevocationEndpoints({
      revokeOwnKey: revokeOwnKey(revoking),
      reportLeakedKey: reportLeakedKey(revoking),
    }),
    ...policyEndpoints({ policies: parts.policies, clock, digest, notify }),
    ...approvalEndpoints({ approvals: parts.approvals, clock, notify }),
    ...agentLogEndpoints({
      agentLog: readAgentLog({ agents, requestLog, actions, clock }),
      listActions: listActions({ actions }),
    }),
    ...sessionEndpoints({
      listSessions: listSessions({ sessions, clock }),
      endSession: endSession({ sessions, clock }),
    }),
    ...totpEndpoints({
      factors: parts.factors,
      oneTimeCodes: parts.oneTimeCodes,
      secrets,
      clock,
      rules: { ...FACTOR_RULES, isRequired: config.tokens.adminTotp === 'required' },
    }),
    ...signInEndpoints({
      requestCode: requestCode({ codes, secrets, clock, rules: SIGN_IN_RULES, quota, adminEmails }),
      exchangeSignature: async (proof: WalletProof, client: string, deadline: AbortSignal) => {
        await prove(proof, deadline)
        return begin({ wallet: proof.address, role: 'user' }, { client, hasFactor: false })
      },
      exchangeCode: exchangeCode({
        codes,
        begin,
        tokens: parts.userTokens,
        oneTimeCodes: parts.oneTimeCodes,
        secrets,
        clock,
        rules: SIGN_IN_RULES,
        adminEmails,
      }),
    }),
  }
}

/** The endpoints for those who run the service. */
export function operationEndpoints(
  { config: { database, redisUrls }, runtime: { clock, version }, parts }: Wired,
  { network }: NetworkState,
): Endpoints {
  const { writeProbe, upkeep, nodes, lease } = parts
  return serviceEndpoints({
    version,
    network,
    writeProbe,
    upkeep,
    nodes,
    isLeader: () => lease?.isOurs() ?? true,
    store: database.kind,
    counters: redisUrls ? 'redis' : database.kind === 'postgres' ? 'postgres' : 'memory',
    verifyAudit: verifyAudit({ proof: parts.auditProof, clock }),
  })
}

/** Keys of the sandbox must not work on a real network that uses the same store. */
export async function endSandboxKeys({ runtime, parts }: Wired): Promise<void> {
  if (parts.sandbox) return
  const revoked = await revokeSandboxKeys(sandboxKeys(runtime, parts))()
  if (revoked > 0)
    runtime.logger.warn('sandbox keys were revoked: this network is not the sandbox', { revoked })
}

const sandboxKeys = ({ clock }: Runtime, { agents, secrets }: Parts) => ({
  agents,
  secrets,
  clock,
  tiers: TIERS,
  perIpHour: LIMITS.sandboxKeysPerIpHour,
})

const registrationQuota = ({ limits }: Config) => ({
  perIpHour: limits.registrationsPerIpHour,
  perIpDay: limits.registrationsPerIpDay,
  perDay: limits.registrationsPerDay,
})
