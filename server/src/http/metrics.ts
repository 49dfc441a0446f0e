import { hash, timingSafeEqual } from 'node:crypto'
import { readBearer } from '#api/credentials.ts'
import type { Meters } from '#ports/meters.ts'
import { Fault } from '../fault.ts'
import type { HttpRequest } from './wire/request.ts'
import type { HttpServer } from './wire/server.ts'

export const METRICS_PATH = '/metrics'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly meters: Meters
  /** Undefined on a port of its own: whoever reaches it may read. */
  readonly refuse?: (request: HttpRequest) => Fault | undefined
}

/** What the service measures, for Prometheus. */
export function serveMetrics({ serve, meters, refuse }: Needs): void {
  serve({ method: 'GET', path: METRICS_PATH, auth: 'operator' }, async (request) => {
    const refusal = refuse?.(request)
    if (refusal) throw refusal
    const { contentType, text } = await meters.expose()
    return { body: text, headers: { 'content-type': contentType } }
  })
}

/** Whoever has the token may read; without one only this machine itself, not what comes through a proxy on it. */
export function metricsReaders(token: string | undefined) {
  return (request: HttpRequest): Fault | undefined => {
    if (token === undefined) return isThisMachine(request) ? undefined : notFromElsewhere()
    const given = readBearer(request.header('authorization'))
    return given !== undefined && isSame(given, token) ? undefined : wrongToken()
  }
}

/** Every IPv6 address of the network of ::1 is this machine, too. */
const isThisMachine = ({ client, header }: HttpRequest) =>
  (/^127\./.test(client) || client === '0:0:0:0::/64') &&
  header('x-forwarded-for') === undefined &&
  header('forwarded') === undefined

const digestOf = (text: string) => hash('sha256', text, 'buffer')

const isSame = (given: string, token: string) => timingSafeEqual(digestOf(given), digestOf(token))

const wrongToken = () =>
  new Fault('unauthorized', 'The figures need the token of METRICS_TOKEN as Authorization: Bearer.')

const notFromElsewhere = () =>
  new Fault('forbidden', 'The figures are for this machine only. Set METRICS_PORT or METRICS_TOKEN.', {
    fix: 'Set METRICS_PORT or METRICS_TOKEN, and read them there.',
  })
