import { randomUUID } from 'node:crypto'
import { TIERS } from '@stakewright/contract'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import type { Database } from '#adapters/sql/schema.ts'
import { followStoreTime } from '#adapters/sql/store-time.ts'
import { sqlAgentActions } from '#adapters/sql/stores/agent-actions.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { sqlForecasts } from '#adapters/sql/stores/chain/forecasts.ts'
import { sqlSnapshots } from '#adapters/sql/stores/chain/snapshots.ts'
import { sqlCompletedRequests } from '#adapters/sql/stores/completed-requests.ts'
import { sqlAgentKeys } from '#adapters/sql/stores/keys/named-keys.ts'
import { checkPepper } from '#adapters/sql/stores/keys/pepper.ts'
import { sqlOutbox } from '#adapters/sql/stores/outbox.ts'
import { sqlApprovals } from '#adapters/sql/stores/policy/approvals.ts'
import { sqlKeptBuilds } from '#adapters/sql/stores/policy/kept-builds.ts'
import { sqlManagedReservations } from '#adapters/sql/stores/policy/managed-reservations.ts'
import { sqlPolicies } from '#adapters/sql/stores/policy/policies.ts'
import { sqlReservations } from '#adapters/sql/stores/policy/reservations.ts'
import { sqlAdminFactors } from '#adapters/sql/stores/sign-in/admin-factors.ts'
import { sqlSessions } from '#adapters/sql/stores/sign-in/sessions.ts'
import { sqlSignInCodes } from '#adapters/sql/stores/sign-in/sign-in-codes.ts'
import { sqlWalletChallenges } from '#adapters/sql/stores/sign-in/wallet-challenges.ts'
import { sqlWriteProbe } from '#adapters/sql/stores/write-probe.ts'
import { suiWalletSignatures } from '#adapters/sui/wallet-signatures.ts'
import { hmacSha256 } from '#adapters/system/hmac.ts'
import { openIntentSigner } from '#adapters/system/intent-keys.ts'
import { mostCachedAgents } from '#adapters/system/most-cached.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { otpauthCodes } from '#adapters/totp/otpauth-codes.ts'
import { proveKeys } from '#api/proven-keys.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import { soleWitness } from '#domain/network/agreement.ts'
import { keepLease } from '#jobs/keep-lease.ts'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Config } from '../config.ts'
import { agentQueues } from './agent-queues.ts'
import { auditProof, openAnchors } from './audit/audit-proof.ts'
import { openVerifyThread } from './audit/verify-in-thread.ts'
import { openBacktestThread } from './backtest/backtest-in-thread.ts'
import { openDecisionThread } from './decisions/decide-in-thread.ts'
import { NO_NODES, openChain, openMailer, openPriceFeed, openTokens } from './open-adapters.ts'
import { openAdmission, openStore } from './open-store.ts'
import type { Runtime } from './runtime.ts'
import { loadSecrets } from './secret-files.ts'

/** Every adapter of a running service. */
export type Parts = Awaited<ReturnType<typeof openParts>>

/** Opens every adapter, in order; `opened` closes them in reverse order. */
export async function openParts(opened: AsyncDisposableStack, config: Config, runtime: Runtime) {
  const { clock, logger } = runtime
  const store = opened.use(await openStore(config, logger, runtime.forTests?.storeTimeouts))
  const { db } = store
  // Before anything reads the clock, because instances that share a store use its time.
  await followStoreTime(db, clock)
  // Creates all secret files before the pepper is recorded, so that an interrupted first start can be repeated.
  const loaded = await loadSecrets(config, db, logger)
  const { pepper } = loaded
  const secrets = openSecrets({ keyPrefix: config.keys.prefix, pepper })
  await checkPepper(db, secrets)
  const seal = auditSeal(loaded.audit, hmacSha256)
  const anchors = openAnchors(config, seal)
  // A changed anchor is refused at the start, not only by the job that replaces it.
  await anchors.read()
  const verifyThread = runtime.forTests?.verifyThread ?? opened.use(openVerifyThread())
  const queueByAgent = agentQueues('timeouts' in store ? store.timeouts : undefined)
  const userTokens = opened.use(await openTokens(config, loaded.tokens, { clock, logger }))
  const network = await openNetwork(opened, config, runtime, db)
  const mailer = opened.use(await openMailer(config, logger))
  const rules = admissionRules({ tiers: TIERS })
  const admissionParts = opened.use(
    await openAdmission(config, store, {
      rules,
      secrets,
      seal,
      clock,
      logger,
      instance: randomUUID(),
      redisTimeouts: runtime.forTests?.redisTimeouts,
    }),
  )
  return {
    ...network,
    ...admissionParts,
    storeRisks: [...store.risks, ...admissionParts.counterRisks],
    ...(await openLeases(opened, config, runtime, admissionParts)),
    anchors,
    pepper,
    secrets,
    keyProofs: proveKeys(secrets, mostCachedAgents()),
    intentSigner: openIntentSigner(loaded.intents, config.intentKeys),
    userTokens,
    mailer,
    feed: openPriceFeed(config, clock),
    writeProbe: sqlWriteProbe({ db, clock, admission: admissionParts.admission }),
    ...openStores({ db, queueByAgent, secrets, logger }),
    oneTimeCodes: otpauthCodes,
    auditProof: auditProof(config, { pepper, anchors, thread: verifyThread }),
    decideAside: opened.use(openDecisionThread()).decide,
    runBacktest: opened.use(openBacktestThread()).run,
    walletSignatures: suiWalletSignatures,
  }
}

type StoreNeeds = {
  readonly db: Database
  readonly queueByAgent: ReturnType<typeof agentQueues>
  readonly secrets: Secrets
  readonly logger: Logger
}

/** The stores on the database. */
const openStores = ({ db, queueByAgent, secrets, logger }: StoreNeeds) => ({
  snapshots: sqlSnapshots({ db, logger }),
  forecasts: sqlForecasts({ db, logger }),
  agents: sqlAgents({ db, secrets, logger }),
  agentKeys: sqlAgentKeys({ db, secrets }),
  policies: sqlPolicies({ db, secrets, logger }),
  reservations: sqlReservations({ db, queueByAgent, secrets, logger }),
  managedReservations: sqlManagedReservations({ db, queueByAgent, secrets, logger }),
  approvals: sqlApprovals({ db, queueByAgent, secrets, logger }),
  sessions: sqlSessions(db, secrets),
  factors: sqlAdminFactors({ db, secrets }),
  completedRequests: sqlCompletedRequests({ db, secrets, logger }),
  keptBuilds: sqlKeptBuilds({ db, queueByAgent, secrets, logger }),
  actions: sqlAgentActions(db),
  codes: sqlSignInCodes({ db, secrets }),
  challenges: sqlWalletChallenges({ db, secrets, logger }),
  outbox: sqlOutbox({ db, secrets }),
})

/** The leases of an instance that shares its store: one for the jobs, one for reading the nodes of its network. */
async function openLeases(
  opened: AsyncDisposableStack,
  { chain }: Config,
  { clock, logger }: Runtime,
  { leases }: Pick<Awaited<ReturnType<typeof openAdmission>>, 'leases'>,
) {
  const keep = async (name: string) => leases && opened.use(await keepLease({ leases, name, clock, logger }))
  return {
    lease: await keep('jobs'),
    // The sandbox has no nodes: its state is in the store already. Instances of several networks may share a store.
    readerLease: chain.kind === 'sui' ? await keep(`chain ${chain.network}`) : undefined,
  }
}

/** The configured chain, or the one of a test. */
async function openNetwork(opened: AsyncDisposableStack, config: Config, runtime: Runtime, db: Database) {
  const { clock, random, logger, forTests: { chain, nodeLimits } = {} } = runtime
  if (chain) {
    return { chain, sandbox: undefined, witnesses: soleWitness(chain), nodes: NO_NODES, zkLogins: undefined }
  }
  const { sandbox, witnesses, nodes, zkLogins, ...configured } = opened.use(
    await openChain(config, { db, clock, random, logger, nodeLimits }),
  )
  return { chain: configured.chain, sandbox, witnesses, nodes, zkLogins }
}
