import { ROUTES } from '@stakewright/contract'
import { asRequest } from '#adapters/system/request-age.ts'
import { type Api, openApi } from '#api/api.ts'
import { recordMalformed, recordOutcomes } from '#api/audit-entry.ts'
import type { Endpoints } from '#api/endpoint.ts'
import { markdownTwins } from '#discovery/markdown-twins.ts'
import { SANDBOX_QUICKSTART } from '#discovery/quickstart.ts'
import { DISCOVERY_LINKS, serveDiscovery } from '#discovery/serve-discovery.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import { isTokenStillValid } from '#domain/users/sessions.ts'
import { lacksFactor } from '#domain/users/totp.ts'
import { openEdge } from '#http/edge.ts'
import { warnOfIgnoredProxy } from '#http/guard/ignored-proxy.ts'
import { deferRefusals } from '#http/mcp/defer-refusals.ts'
import { errorOfMessage } from '#http/mcp/json-rpc-error.ts'
import { serveMcp } from '#http/mcp/serve-mcp.ts'
import { metricsReaders, serveMetrics } from '#http/metrics.ts'
import { ownOrigins } from '#http/own-origin.ts'
import { serveProbes } from '#http/probes.ts'
import { serveApi } from '#http/serve-api.ts'
import { serveOpenapi } from '#http/serve-openapi.ts'
import { serveVerifyPage } from '#http/verify-page.ts'
import type { HttpServer } from '#http/wire/server.ts'
import { openMcp } from '#mcp/open-mcp.ts'
import { REVISIONS } from '#mcp/revisions.ts'
import type { Logger } from '#ports/logger.ts'
import { NAVIGATION, serveWeb } from '#web/serve-web.ts'
import type { Config } from '../config.ts'
import { DAY_MS, YEAR_MS } from '../durations.ts'
import { type Documentation, documentation } from './documentation.ts'
import type { CallerLimits } from './open-guard.ts'
import type { Wired } from './operations/wired.ts'
import type { Runtime } from './runtime.ts'

/** How long a stopping instance refuses requests before it closes its port, so that a proxy notices. */
const LEAVE_MS = 500

export type Servers = {
  readonly server: HttpServer
  /** The server of METRICS_PORT. */
  readonly metricsServer: HttpServer | undefined
  /** Prepares the web app, so that its first visitor does not wait for it. */
  readonly prepareWeb: () => Promise<void>
}

type Needs = {
  readonly endpoints: Endpoints
  readonly network: CurrentNetwork
  readonly limits: CallerLimits
  /** The URL of the service; known once it listens. */
  readonly publicUrl: () => string
}

/** Opens the HTTP server with all its routes: API, probes, documentation, pages, MCP. */
export async function openServers(
  opened: AsyncDisposableStack,
  wired: Wired,
  needs: Needs,
): Promise<Servers> {
  const { config, runtime, parts } = wired
  const { network, publicUrl } = needs
  const { guard } = needs.limits
  const { clock, logger, meters, version } = runtime
  const { admission, writeProbe } = parts
  const recordOutcome = recordOutcomes({ admission })
  const api = apiOf(wired, needs, recordOutcome)
  const { onRequest, refusalOf } = deferRefusals(guard)
  const edge = {
    logger,
    meters,
    guard: { ...guard, onRequest },
    onIgnoredProxy: warnOfIgnoredProxy(logger),
    recordOutcome,
    recordMalformed: recordMalformed({ admission, clock }),
    otherError: errorOfMessage,
    pages: NAVIGATION,
  }
  const server = opened.use(openEdge(edge, edgeOptions(config, runtime)))
  const { serve } = server
  serveApi(api, { serve })
  serveProbes({ serve, network, writeProbe })
  const metricsServer = openMetrics(opened, serve, wired)
  serveOpenapi({ serve, served: api.names, version, network })
  serveVerifyPage({ serve })
  const description = describeService(config, version)
  const docs = documentation(publicUrl)
  const factsOf = () => ({
    version,
    network: description.network,
    served: api.names,
    url: publicUrl(),
    pages: docs.names,
    revisions: REVISIONS,
    limits: config.limits,
  })
  const twins = markdownTwins(docs, factsOf)
  const web = serveWeb({ serve, description, links: DISCOVERY_LINKS, twins })
  serveDiscovery({
    serve,
    factsOf,
    docs,
    security: { contact: config.securityContact, expiresAt: () => inAYear(clock.now()) },
  })
  serveMcp({
    serve,
    mcp: openMcpFace(api, description, docs, logger),
    isOwnOrigin: ownOrigins(config.http.publicUrl, config.http.corsOrigins),
    guard,
    refusalOf,
  })
  return { server, metricsServer, prepareWeb: () => web.prepare() }
}

/** The beginning of that day, so that the text and its ETag change once a day. */
const inAYear = (now: number): Date => new Date(now - (now % DAY_MS) + YEAR_MS)

/** The API, without a transport. */
function apiOf(
  { config, runtime: { clock }, parts }: Wired,
  { endpoints, network, limits }: Needs,
  recordOutcome: ReturnType<typeof recordOutcomes>,
): Api {
  const { admission, keyProofs, userTokens, sessions, factors } = parts
  return openApi(endpoints, {
    admission,
    recordOutcome,
    network,
    keyProofs,
    userTokens,
    isTokenStillValid: isTokenStillValid({ sessions, clock }),
    lacksFactor: lacksFactor({ factors, isRequired: config.tokens.adminTotp === 'required' }),
    clock,
    onAdmitted: limits.share.admitted,
    asRequest,
  })
}

/** Serves the metrics on METRICS_PORT if it is set, otherwise on the port of the API. */
function openMetrics(opened: AsyncDisposableStack, serve: HttpServer['serve'], { config, runtime }: Wired) {
  const { logger, meters } = runtime
  const { port, token } = config.metrics
  if (port === undefined) {
    serveMetrics({ serve, meters, refuse: metricsReaders(token) })
    return undefined
  }
  const server = opened.use(openEdge({ logger, meters }, edgeOptions(config, runtime)))
  serveMetrics({ serve: server.serve, meters, ...(token && { refuse: metricsReaders(token) }) })
  return server
}

const openMcpFace = (
  api: Api,
  { version, network }: ReturnType<typeof describeService>,
  docs: Documentation,
  logger: Logger,
) =>
  openMcp({
    api,
    version,
    network,
    readPage: docs.read,
    onError: (error) => logger.warn('mcp refused a request', { reason: error.message }),
  })

/** The JSON for programs at `/`. */
const describeService = ({ chain }: Config, version: string) => ({
  name: 'Stakewright',
  version,
  network: chain.kind === 'sui' ? chain.network : chain.kind,
  docs: '/docs',
  openapi: '/openapi.json',
  mcp: '/mcp',
  register: ROUTES.selfRegister.path,
  llms: '/llms.txt',
  ...(chain.kind === 'sandbox' && { quickstart: SANDBOX_QUICKSTART }),
})

const edgeOptions = ({ http }: Config, { forTests: { keepAliveMs } = {} }: Runtime) => ({
  requestMs: http.requestTimeoutMs,
  trustProxyHops: http.trustProxyHops,
  connectionsPerAddress: http.connectionsPerAddress,
  corsOrigins: http.corsOrigins,
  // A proxy needs a moment to notice that an instance stops.
  leaveMs: http.trustProxyHops > 0 ? LEAVE_MS : 0,
  ...(http.publicUrl && { publicUrl: http.publicUrl }),
  ...(keepAliveMs !== undefined && { keepAliveMs }),
})
