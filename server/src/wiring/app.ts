import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { LIMITS, ROUTES, TIERS, YEAR_MS } from '@stakewright/contract'
import { REFRESH_KEYS_MS } from './adapters/jwt/user-tokens.ts'
import { AUDIT_KEY_FILE, auditSeal } from './adapters/sql/audit/seal.ts'
import type { Patience } from './adapters/sql/postgres/session.ts'
import { hearStoreTime } from './adapters/sql/store-time.ts'
import { sqlAgents } from './adapters/sql/stores/agents.ts'
import { sqlOutbox } from './adapters/sql/stores/outbox.ts'
import { checkPepper } from './adapters/sql/stores/pepper.ts'
import { sqlSignInCodes } from './adapters/sql/stores/sign-in-codes.ts'
import { sqlSnapshots } from './adapters/sql/stores/snapshots.ts'
import { hmacSha256 } from './adapters/system/hmac.ts'
import { loadSecret } from './adapters/system/secrets.ts'
import { openSecrets } from './adapters/system/system-secrets.ts'
import { openApi } from './api/api.ts'
import { recordOutcomes } from './api/audit-entry.ts'
import type { Endpoints } from './api/endpoint.ts'
import { agentEndpoints } from './api/endpoints/agent.ts'
import { agentLogEndpoints } from './api/endpoints/agent-log.ts'
import { agentsEndpoints } from './api/endpoints/agents.ts'
import { allocationEndpoints } from './api/endpoints/allocation.ts'
import { keyRevocationEndpoints } from './api/endpoints/key-revocation.ts'
import { networkEndpoints } from './api/endpoints/network.ts'
import { positionEndpoints } from './api/endpoints/positions.ts'
import { registrationEndpoints } from './api/endpoints/registration.ts'
import { sandboxEndpoints } from './api/endpoints/sandbox.ts'
import { signInEndpoints } from './api/endpoints/sign-in.ts'
import { transactionEndpoints } from './api/endpoints/transactions.ts'
import { validatorEndpoints } from './api/endpoints/validators.ts'
import { wholeNetworkEndpoints } from './api/endpoints/whole-network.ts'
import type { Config } from './config.ts'
import { DISCOVERY_LINKS, isDiscoveryPath, serveDiscovery } from './discovery/serve-discovery.ts'
import { documentation } from './documentation.ts'
import { readAgentLog } from './domain/agents/read-agent-log.ts'
import { reportLeakedKey, revokeOwnKey } from './domain/agents/revoke-by-key.ts'
import { issueSandboxKey, revokeSandboxKeys } from './domain/agents/sandbox-keys.ts'
import { dropOldRecords } from './domain/audit/drop-old-records.ts'
import { prepareAuditDays } from './domain/audit/prepare-audit-days.ts'
import { signAudit } from './domain/audit/sign-audit.ts'
import { admissionRules } from './domain/limits/admission-rules.ts'
import { deliverMail } from './domain/mail/deliver-mail.ts'
import { readConfirmed, soleWitness } from './domain/network/agreement.ts'
import { currentNetwork } from './domain/network/current-network.ts'
import { currentPrice } from './domain/network/price.ts'
import { refreshNetwork, restoreNetwork } from './domain/network/refresh-network.ts'
import { buildTransactions } from './domain/staking/build-transaction.ts'
import { readPositions } from './domain/staking/read-positions.ts'
import { readHeldTokens } from './domain/staking/rebalance/read-held-tokens.ts'
import { exchangeCode } from './domain/users/exchange-code.ts'
import { requestCode } from './domain/users/request-code.ts'
import { openEdge } from './http/edge.ts'
import { ownOrigins } from './http/own-origin.ts'
import { PROBE_PATHS, serveProbes } from './http/probes.ts'
import { REFERENCE_PATHS, serveReference } from './http/reference.ts'
import { serveApi } from './http/serve-api.ts'
import { serveMcp } from './http/serve-mcp.ts'
import { serveVerifyPage, VERIFY_PAGE_PATH } from './http/verify-page.ts'
import type { ListeningAt } from './http/wire/node-server.ts'
import { keepLease } from './jobs/keep-lease.ts'
import { type JobRunner, openJobs } from './jobs/runner.ts'
import { scheduleJobs } from './jobs/schedule.ts'
import { openMcp } from './mcp/open-mcp.ts'
import { openChain, openMailer, openPriceFeed, openTokens } from './open-adapters.ts'
import { openGuard } from './open-guard.ts'
import { openAdmission, openStore } from './open-store.ts'
import type { Clock } from './ports/clock.ts'
import type { Logger } from './ports/logger.ts'
import type { Meters } from './ports/meters.ts'
import type { StakingChain } from './ports/staking-chain.ts'
import { isWebPath, serveWeb } from './web/serve-web.ts'

export type App = AsyncDisposable & {
  listen(): Promise<ListeningAt>
  /** Runs one job now and waits for it. */
  runJob(name: string): Promise<void>
  /** Readies the web app, so that its first visitor does not wait for it. */
  prepareWeb(): Promise<void>
  /** Finishes what runs, refuses what is new, and closes everything within about the grace. */
  stop(graceMs: number): Promise<void>
}

export type Outside = {
  readonly clock: Clock
  readonly logger: Logger
  readonly meters: Meters
  /** Chance for what needs no secrecy, such as jitter. */
  readonly random: () => number
  readonly version: string
  /** How long to wait for a store that others use too, where a second is not enough: in tests on a busy machine. */
  readonly storePatience?: Patience
  /** Other processes of this machine listen on the same port. */
  readonly isOneOfMany?: boolean
  /** Another chain than the configured one, for tests and measurements. */
  readonly chain?: StakingChain
}

/** Puts everything together by hand: adapters, operations, edges. What is opened is closed in reverse order. */
export async function openApp(config: Config, outside: Outside): Promise<App> {
  const { clock, logger, meters, random, version, isOneOfMany = false } = outside
  await using opened = new AsyncDisposableStack()

  // Adapters
  const store = opened.use(await openStore(config, logger, outside.storePatience))
  const { db } = store
  // Before anything looks at the clock: every instance goes by the time of the store they share.
  await hearStoreTime(db, clock)
  const pepper = await loadSecret(config.dataDir, 'key-pepper', config.keys.pepper)
  const secrets = openSecrets({ keyPrefix: config.keys.prefix, pepper })
  await checkPepper(db, secrets.digest('key', 'the pepper itself'))
  const userTokens = opened.use(await openTokens(config, clock, logger))
  const configured = outside.chain
    ? undefined
    : opened.use(await openChain(config, { db, clock, random, logger }))
  const chain = outside.chain ?? configured?.chain
  assert(chain, 'there is a chain, given or configured')
  const sandbox = configured?.sandbox
  const witnesses = configured?.witnesses ?? soleWitness(chain)
  const feed = openPriceFeed(config, clock)
  const mailer = opened.use(await openMailer(config, logger))
  const snapshots = sqlSnapshots({ db, logger })
  const agents = sqlAgents({ db, secrets })
  const codes = sqlSignInCodes({ db, secrets })
  const outbox = sqlOutbox({ db, secrets })
  const rules = admissionRules({ tiers: TIERS })
  const seal = auditSeal(await auditSecret(config, pepper), hmacSha256)
  const { admission, upkeep, requestLog, traffic, leases } = opened.use(
    await openAdmission(config, store, { rules, seal, clock, logger, instance: randomUUID() }),
  )
  const lease = leases && opened.use(await keepLease({ leases, name: 'jobs', clock, logger }))

  // Operations
  const digest = (text: string) => hash('sha256', text, 'hex')
  const network = currentNetwork({ clock })
  const price = currentPrice({ feed, clock })
  const watching = { chain, snapshots, network, clock, digest }
  const quota = registrationQuota(config)
  let ownUrl = ''
  const verification = {
    ...MAIL_RULES,
    get publicUrl() {
      return config.http.publicUrl ?? ownUrl
    },
  }
  const sandboxKeys = { agents, secrets, clock, tiers: TIERS, perIpHour: LIMITS.sandboxKeysPerIpHour }
  const adminEmails = new Set(config.tokens.adminEmails)
  const jobs = opened.use(
    openJobs(
      scheduleJobs({
        refreshNetwork: refreshNetwork(watching),
        refreshNetworkMs: config.refreshMs,
        price,
        deliverMail: deliverMail({ outbox, mailer, clock, chance: random, logger }),
        refreshIssuerKeys: userTokens.refreshKeys,
        refreshIssuerKeysMs: REFRESH_KEYS_MS,
        prepareAuditDays: prepareAuditDays({ upkeep, clock }),
        signAudit: signAudit({ upkeep, clock, logger }),
        dropOldRecords: dropOldRecords({ upkeep, clock, logger, retentionDays: config.auditRetentionDays }),
        logger,
        meters,
      }),
      { logger, meters, isLeader: () => lease?.isOurs() ?? true },
    ),
  )

  const refresh = () => jobs.runNow('watch-network')

  // Edges
  const endpoints: Endpoints = {
    ...validatorEndpoints({ network }),
    ...wholeNetworkEndpoints({ network }),
    ...networkEndpoints({ network, price, clock, version }),
    ...agentEndpoints({ network }),
    ...allocationEndpoints({ network, heldTokens: readHeldTokens({ chain }) }),
    ...positionEndpoints({ chain, network, positionsOf: readPositions({ chain, network }) }),
    ...transactionEndpoints({
      build: buildTransactions({
        chain,
        readConfirmed: readConfirmed({ network, witnesses, refresh }),
        clock,
      }),
      network,
    }),
    ...(sandbox && sandboxEndpoints({ sandbox, issueKey: issueSandboxKey(sandboxKeys), network, refresh })),
    ...registrationEndpoints({ agents, codes, secrets, clock, verification, quota }),
    ...agentsEndpoints({ agents, secrets, clock }),
    ...keyRevocationEndpoints({
      revokeOwnKey: revokeOwnKey({ agents, secrets, clock, noticesPerDay: LIMITS.noticeMailsPerDay }),
      reportLeakedKey: reportLeakedKey({ agents, secrets, clock, noticesPerDay: LIMITS.noticeMailsPerDay }),
    }),
    ...agentLogEndpoints({ agentLog: readAgentLog({ agents, requestLog, clock }) }),
    ...signInEndpoints({
      requestCode: requestCode({ codes, secrets, clock, rules: SIGN_IN_RULES, quota, adminEmails }),
      exchangeCode: exchangeCode({
        codes,
        tokens: userTokens,
        secrets,
        clock,
        rules: SIGN_IN_RULES,
        adminEmails,
      }),
    }),
  }
  // Everything under /api counts: most requests are told by their beginning.
  const isExempt = (path: string) =>
    !path.startsWith('/api/') && (EXEMPT.has(path) || isWebPath(path) || isDiscoveryPath(path))
  const guard = await openGuard(config.limits, { admission, traffic, clock, logger, isExempt, pepper })
  const recordOutcome = recordOutcomes({ admission })
  const api = openApi(endpoints, { admission, recordOutcome, network, secrets, userTokens, clock })
  const edge = opened.use(openEdge({ logger, meters, guard, recordOutcome }, edgeOptions(config)))
  const { serve } = edge
  serveApi(api, { serve })
  serveProbes({ serve, network, meters })
  serveReference({ serve, served: api.names, version })
  serveVerifyPage({ serve })
  const description = describeService(config, version)
  const web = serveWeb({ serve, description, links: DISCOVERY_LINKS })
  const docs = documentation()
  serveDiscovery({
    serve,
    factsOf: () => ({
      version,
      network: description.network,
      served: api.names,
      url: verification.publicUrl,
      pages: docs.names,
    }),
    docs,
    security: { contact: config.securityContact, expiresAt: () => new Date(clock.now() + YEAR_MS) },
  })
  const mcp = openMcp({
    api,
    version,
    network: description.network,
    readPage: docs.read,
    onError: (error) => logger.warn('mcp refused a request', { reason: error.message }),
  })
  serveMcp({ serve, answer: mcp.answer, isOwnOrigin: ownOrigins(config.http.publicUrl) })

  if (!sandbox) await endSandboxKeys(sandboxKeys, logger)
  await restoreNetwork(watching)()
  const resources = opened.move()
  return {
    async listen() {
      await readFirstData(jobs, logger)
      jobs.start()
      const at = await edge.listen({
        host: config.http.host,
        port: config.http.port,
        ...(isOneOfMany && { reusePort: true }),
      })
      ownUrl = toLocalUrl(at)
      return at
    },
    runJob: (name) => jobs.runNow(name),
    prepareWeb: () => web.prepare(),
    async stop(graceMs) {
      await edge.close(graceMs)
      await resources.disposeAsync()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** What a program that asks for `/` is told. */
const describeService = ({ chain }: Config, version: string) => ({
  name: 'Stakewright',
  version,
  network: chain.kind === 'sui' ? chain.network : chain.kind,
  docs: '/docs',
  openapi: '/openapi.json',
  mcp: '/mcp',
  register: ROUTES.selfRegister.path,
})

const LEAVE_MS = 500
const EXEMPT: ReadonlySet<string> = new Set([...PROBE_PATHS, ...REFERENCE_PATHS, VERIFY_PAGE_PATH])
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
}

/** Instances that share a store seal its audit log alike; they share the pepper, too, and no folder. */
const auditSecret = ({ database, dataDir }: Config, pepper: string): Promise<string> | string =>
  database.kind === 'postgres' ? pepper : loadSecret(dataDir, AUDIT_KEY_FILE)

/** Where a browser on this machine finds the service; an address that stands for all of them is none to go to. */
const toLocalUrl = ({ host, port, url }: ListeningAt) =>
  host === '0.0.0.0' || host === '::' ? `http://localhost:${port}` : url

async function endSandboxKeys(needs: Parameters<typeof revokeSandboxKeys>[0], logger: Logger): Promise<void> {
  const revoked = await revokeSandboxKeys(needs)()
  if (revoked > 0) logger.warn('sandbox keys were revoked: this network is not the sandbox', { revoked })
}

function registrationQuota({ limits }: Config) {
  return {
    perIpHour: limits.registrationsPerIpHour,
    perIpDay: limits.registrationsPerIpDay,
    perDay: limits.registrationsPerDay,
  }
}

function edgeOptions({ http }: Config) {
  return {
    requestMs: http.requestTimeoutMs,
    trustProxyHops: http.trustProxyHops,
    // A proxy in front needs a moment to notice that an instance leaves; without one there is nobody to tell.
    leaveMs: http.trustProxyHops > 0 ? LEAVE_MS : 0,
    ...(http.publicUrl && { publicUrl: http.publicUrl }),
  }
}

/** The service starts without its upstreams: it serves what it has, says how old that is, and keeps trying. */
async function readFirstData(jobs: JobRunner, logger: Logger): Promise<void> {
  for (const name of ['watch-network', 'watch-price', 'refresh-issuer-keys']) {
    await jobs.runNow(name).catch((error) => logger.error('first data are missing', error, { job: name }))
  }
}
