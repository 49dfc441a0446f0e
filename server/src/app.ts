import { hash } from 'node:crypto'
import { TIERS } from '@stakewright/contract'
import { httpPriceFeed } from './adapters/price/http-price.ts'
import { sandboxPriceFeed } from './adapters/sandbox/price-walk.ts'
import { openSandboxChain } from './adapters/sandbox/sandbox-chain.ts'
import { sqlSandboxStates } from './adapters/sql/sandbox-states.ts'
import type { Database } from './adapters/sql/schema.ts'
import { sqlSnapshots } from './adapters/sql/snapshots.ts'
import { openSqlite } from './adapters/sql/sqlite.ts'
import { openSqliteAdmission } from './adapters/sql/sqlite-admission.ts'
import { loadSecret } from './adapters/system/secrets.ts'
import { openSecrets } from './adapters/system/system-secrets.ts'
import type { Config } from './config.ts'
import { admissionRules } from './domain/limits/admission-rules.ts'
import { breaker } from './domain/limits/shed-load.ts'
import { throttleAddresses } from './domain/limits/throttle-addresses.ts'
import { currentNetwork } from './domain/network/current-network.ts'
import { currentPrice } from './domain/network/price.ts'
import { refreshNetwork, restoreNetwork } from './domain/network/refresh-network.ts'
import { Fault } from './fault.ts'
import { admitCaller } from './http/admit-caller.ts'
import { openEdge } from './http/edge.ts'
import { guardTraffic } from './http/guard.ts'
import { publicDataEndpoints } from './http/handlers/public-data.ts'
import { publicStateEndpoints } from './http/handlers/public-state.ts'
import type { ListeningAt } from './http/listen.ts'
import { PROBE_PATHS, serveProbes } from './http/probes.ts'
import { REFERENCE_PATHS, serveReference } from './http/reference.ts'
import { type Endpoints, servedNames, serveEndpoints } from './http/serve-endpoints.ts'
import { type JobRunner, openJobs } from './jobs/runner.ts'
import { scheduleJobs } from './jobs/schedule.ts'
import type { Clock } from './ports/clock.ts'
import type { Logger } from './ports/logger.ts'
import type { Meters } from './ports/meters.ts'
import type { PriceFeed } from './ports/price-feed.ts'
import type { Sandbox } from './ports/sandbox.ts'
import type { StakingChain } from './ports/staking-chain.ts'

export type App = AsyncDisposable & {
  listen(): Promise<ListeningAt>
  /** Runs one job now, for tests and for the first data. */
  runJob(name: string): Promise<void>
  /** Finishes what runs, refuses what is new, and closes everything within about the grace. */
  stop(graceMs: number): Promise<void>
}

type Outside = {
  readonly clock: Clock
  readonly logger: Logger
  readonly meters: Meters
  /** Chance for what needs no secrecy: jitter, hash seeds. */
  readonly random: () => number
  readonly version: string
}

/** Puts everything together by hand: adapters, then operations, then edges. What is opened is closed in reverse. */
export async function openApp(config: Config, outside: Outside): Promise<App> {
  await using opened = new AsyncDisposableStack()
  const { clock, logger, meters, version } = outside

  const sqlite = opened.use(await openStore(config))
  const snapshots = sqlSnapshots({ db: sqlite.db, logger })
  const chain = await openChain(config, sqlite.db, clock)
  const feed = openPriceFeed(config, clock)
  const pepper = await loadSecret(config.dataDir, 'key-pepper', config.keys.pepper)
  const secrets = openSecrets({ keyPrefix: config.keys.prefix, pepper })
  const rules = admissionRules({ tiers: TIERS })
  const admission = opened.use(await openSqliteAdmission({ store: sqlite, rules, clock }))

  const digest = (text: string) => hash('sha256', text, 'hex')
  const network = currentNetwork({ clock })
  const price = currentPrice({ feed, clock })
  const watching = { chain, snapshots, network, clock, digest }
  const jobs = opened.use(
    openJobs(scheduleJobs({ refreshNetwork: refreshNetwork(watching), price, logger, meters }), {
      logger,
      meters,
    }),
  )

  const throttle = throttleAddresses({ perMinute: config.limits.ipPerMinute, seed: seedOf(pepper) })
  for (const count of await admission.addressCounts(minuteOf(clock.now()))) throttle.restore(count)
  const isExempt = (path: string) => EXEMPT.has(path)
  const load = breaker({ perMinute: config.limits.globalPerMinute })
  const guard = guardTraffic({ throttle, breaker: load, admission, clock, logger, isExempt })
  const edge = opened.use(openEdge({ logger, meters, guard }, edgeOptions(config)))
  const endpoints: Endpoints = {
    ...publicDataEndpoints({ network }),
    ...publicStateEndpoints({ network, price, clock, version }),
  }
  serveEndpoints(endpoints, {
    serve: edge.serve,
    admitCaller: admitCaller({ admission, network, secrets, userTokens: undefined as never, clock }),
  })
  serveProbes({ serve: edge.serve, network, meters })
  serveReference({ serve: edge.serve, served: servedNames(endpoints), version })

  await restoreNetwork(watching)()
  const resources = opened.move()
  return {
    async listen() {
      await readFirstData(jobs, logger)
      jobs.start()
      return edge.listen({ host: config.http.host, port: config.http.port })
    },
    runJob: (name) => jobs.runNow(name),
    async stop(graceMs) {
      await edge.close(graceMs)
      await resources.disposeAsync()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const EXEMPT: ReadonlySet<string> = new Set([...PROBE_PATHS, ...REFERENCE_PATHS])

const minuteOf = (now: number) => now - (now % 60_000)

/** Stable over restarts, so that kept counts still mean the same addresses, and unknown to strangers. */
const seedOf = (pepper: string) =>
  Number.parseInt(hash('sha256', `address seed ${pepper}`, 'hex').slice(0, 8), 16)

function openStore({ database }: Config) {
  if (database.kind === 'sqlite') return openSqlite(database.folder, { synchronous: database.synchronous })
  throw new Fault('store_not_ready', 'DATABASE_URL is not supported by this version yet. Leave it unset.')
}

function openChain(config: Config, db: Database, clock: Clock): Promise<StakingChain & Sandbox> {
  const { chain } = config
  if (chain.kind === 'sandbox') {
    return openSandboxChain({ seed: chain.seed, epochMs: chain.epochMs, clock, states: sqlSandboxStates(db) })
  }
  throw new Fault(
    'rpc_unavailable',
    `NETWORK=${chain.network} is not supported by this version yet. Use sandbox.`,
  )
}

function openPriceFeed({ chain, priceUrl }: Config, clock: Clock): PriceFeed {
  if (priceUrl) return httpPriceFeed(priceUrl, clock.now)
  return sandboxPriceFeed({ seed: chain.kind === 'sandbox' ? chain.seed : 1, clock })
}

function edgeOptions({ http }: Config) {
  return {
    requestMs: http.requestTimeoutMs,
    trustProxyHops: http.trustProxyHops,
    ...(http.publicUrl && { publicUrl: http.publicUrl }),
  }
}

/** The service starts without its upstreams: it serves what it has, says how old that is, and keeps trying. */
async function readFirstData(jobs: JobRunner, logger: Logger): Promise<void> {
  for (const name of ['watch-network', 'watch-price']) {
    await jobs.runNow(name).catch((error) => logger.error('first data are missing', error, { job: name }))
  }
}
