import { hash, timingSafeEqual } from 'node:crypto'
import type { Meters } from '#ports/meters.ts'
import { isLoopback } from '../basics/loopback.ts'
import { Fault, refusal } from '../fault.ts'
import { readBearer } from './read-bearer.ts'
import type { HttpRequest } from './wire/request.ts'
import type { HttpServer } from './wire/server.ts'

export const METRICS_PATH = '/metrics'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly meters: Meters
  /** Undefined on METRICS_PORT: everybody who can reach that port may read the metrics. */
  readonly refuse?: (request: HttpRequest) => Fault | undefined
}

/** Serves the metrics for Prometheus. */
export function serveMetrics({ serve, meters, refuse }: Needs): void {
  serve({ method: 'GET', path: METRICS_PATH, auth: 'operator' }, async (request) => {
    const refusal = refuse?.(request)
    if (refusal) throw refusal
    const { contentType, text } = await meters.expose()
    return { body: text, headers: { 'content-type': contentType } }
  })
}

/**
 * Requests with the token may read the metrics; without a configured token, only direct requests from this machine.
 */
export function metricsReaders(token: string | undefined) {
  return (request: HttpRequest): Fault | undefined => {
    if (token === undefined) return isThisMachine(request) ? undefined : localOnly()
    const given = readBearer(request.header('authorization'))
    return given !== undefined && isSameToken(given, token) ? undefined : wrongToken()
  }
}

/** Headers of which each shows that the request came through a proxy. */
const OF_PROXIES = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
] as const

/** Another Host means a proxy, or a page that has rebound its own name to this machine (DNS rebinding). */
const isOwnHost = (host: string): boolean => isLoopback(host.replace(/:\d+$/, ''))

/** `client` is the /64 network of an IPv6 address; that of ::1 is this machine. */
const isThisMachine = ({ client, header }: HttpRequest) =>
  (/^127\./.test(client) || client === '0:0:0:0::/64') &&
  isOwnHost(header('host') ?? '') &&
  OF_PROXIES.every((name) => header(name) === undefined)

const digestOf = (text: string) => hash('sha256', text, 'buffer')

const isSameToken = (given: string, token: string) => timingSafeEqual(digestOf(given), digestOf(token))

const wrongToken = () =>
  refusal(
    'unauthorized',
    'The metrics need a token.',
    'Send the one in METRICS_TOKEN as Authorization: Bearer.',
  )

const localOnly = () =>
  new Fault('forbidden', 'The metrics are for this machine only. Set METRICS_PORT or METRICS_TOKEN.', {
    fix: 'Set METRICS_PORT or METRICS_TOKEN, and read them there.',
  })
