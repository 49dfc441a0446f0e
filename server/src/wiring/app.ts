import { setTimeout } from 'node:timers/promises'
import { policiesInForce } from '#domain/policy/policies-in-force.ts'
import type { ListeningAt } from '#http/wire/node-server.ts'
import { type Job, type JobRunner, openJobs } from '#jobs/runner.ts'
import type { Logger } from '#ports/logger.ts'
import type { Config } from '../config.ts'
import { openCallerLimits } from './open-guard.ts'
import { openParts } from './open-parts.ts'
import { openServers, type Servers } from './open-servers.ts'
import { agentsAndKeysEndpoints } from './operations/agent-endpoints.ts'
import { buildEndpoints } from './operations/build-endpoints.ts'
import { dataEndpoints } from './operations/data-endpoints.ts'
import { listJobs } from './operations/jobs.ts'
import { openNetworkState } from './operations/network-state.ts'
import { endSandboxKeys } from './operations/sandbox-keys.ts'
import { operationEndpoints } from './operations/service-endpoints.ts'
import { userEndpoints } from './operations/user-endpoints.ts'
import type { Runtime } from './runtime.ts'

/** The address of the service, and that of the metrics if they have a separate port. */
type Listening = ListeningAt & { readonly metricsUrl: string | undefined }

export type App = AsyncDisposable & {
  listen(): Promise<Listening>
  /** Runs one job now and waits for it. */
  runJob(name: string): Promise<void>
  /** Prepares the web app, so that its first visitor does not wait for it. */
  prepareWeb(): Promise<void>
  /** Finishes requests in flight, refuses new ones, and closes everything within about the grace. */
  stop(graceMs: number): Promise<void>
}

/** Builds the service by hand: adapters, jobs, endpoints, servers. Resources are closed in reverse order. */
export async function openApp(config: Config, runtime: Runtime): Promise<App> {
  const { logger, meters } = runtime
  await using opened = new AsyncDisposableStack()
  const parts = await openParts(opened, config, runtime)
  const wired = { config, runtime, parts }
  const state = openNetworkState(wired)
  const isLeader = () => parts.lease?.isHeld() ?? true
  const limits = await openCallerLimits(wired)
  const jobs = opened.use(
    openJobs(withTestDeadlines(listJobs(wired, state, limits), runtime), { logger, meters, isLeader }),
  )

  const readNow = () => {
    state.forceOwnRead()
    return jobs.runNow('watch-network')
  }

  let ownUrl = ''
  const publicUrl = () => config.http.publicUrl ?? ownUrl
  const inForce = policiesInForce(parts)
  const endpoints = {
    ...dataEndpoints(wired, state, inForce, readNow),
    ...buildEndpoints(wired, state, inForce, readNow, publicUrl),
    ...agentsAndKeysEndpoints(wired, state, publicUrl),
    ...userEndpoints(wired, publicUrl),
    ...operationEndpoints(wired, state),
  }
  const servers = await openServers(opened, wired, {
    endpoints,
    network: state.network,
    limits,
    publicUrl,
  })
  await endSandboxKeys(wired)
  await state.restoreNetwork()

  const resources = opened.move()
  return {
    async listen() {
      const present = state.network.known().then(() => waitForHistory(runtime))
      await Promise.race([readFirstData(jobs, logger), present])
      if (runtime.forTests?.runsJobs ?? true) jobs.start()
      const at = await listen(servers, config, runtime)
      ownUrl = toLocalUrl(at)
      return at
    },
    runJob: (name) => jobs.runNow(name),
    prepareWeb: servers.prepareWeb,
    async stop(graceMs) {
      await Promise.all([servers.server.close(graceMs), servers.metricsServer?.close(graceMs)])
      await resources.disposeAsync()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Replaces the deadlines of jobs in tests. */
const withTestDeadlines = (
  jobs: readonly Job[],
  { forTests: { jobDeadlineMs } = {} }: Runtime,
): readonly Job[] =>
  jobDeadlineMs === undefined ? jobs : jobs.map((job) => ({ ...job, deadlineMs: jobDeadlineMs }))

async function listen(
  { server, metricsServer }: Servers,
  { http: { host, port }, metrics }: Config,
  { isOneOfMany = false }: Runtime,
): Promise<Listening> {
  const shared = isOneOfMany && { reusePort: true }
  const figures = await metricsServer?.listen({ host, port: metrics.port ?? 0, ...shared })
  return { ...(await server.listen({ host, port, ...shared })), metricsUrl: figures?.url }
}

/** The URL for a browser on this machine. 0.0.0.0 and :: are wildcards: show localhost. */
const toLocalUrl = ({ host, port, url }: ListeningAt) =>
  host === '0.0.0.0' || host === '::' ? `http://localhost:${port}` : url

/** Longest time that the start waits for history; on a slow node the rest is read in the background. */
const HISTORY_WAIT_MS = 5_000
const waitForHistory = ({ forTests: { historyWaitMs = HISTORY_WAIT_MS } = {} }: Runtime): Promise<void> =>
  setTimeout(historyWaitMs, undefined, { ref: false })

/** Failures are only logged: without its upstreams the service serves stored data with their age, and retries. */
async function readFirstData(jobs: JobRunner, logger: Logger): Promise<void> {
  for (const name of ['watch-network', 'watch-price', 'refresh-issuer-keys']) {
    await jobs.runNow(name).catch((error) => logger.error('first data are missing', error, { job: name }))
  }
}
