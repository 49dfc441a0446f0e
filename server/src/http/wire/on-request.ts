import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Fault, refusal } from '../../fault.ts'
import { type Exchange, type FailExchange, isAnswered } from './exchange.ts'
import type { Hooks } from './hooks.ts'
import type { InFlight } from './in-flight.ts'
import { refuseHead, type SizeLimits } from './parse/head-rules.ts'
import type { RefuseRaw } from './raw-refusal.ts'
import type { Send } from './send.ts'

type Needs = {
  readonly server: Server
  readonly inFlight: InFlight
  readonly send: Send
  readonly fail: FailExchange
  readonly refuse: RefuseRaw
  readonly limits: SizeLimits
  /** Whether the server is about to stop, so that another instance should get new requests. */
  readonly isLeaving: () => boolean
  readonly onRequest: Hooks['onRequest']
  readonly dispatch: (exchange: Exchange) => void
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/**
 * Creates the exchange of each request, refuses it by its head or by the `onRequest` hook, or passes it to the
 * router.
 */
export function acceptRequests(needs: Needs): void {
  const { server, inFlight, send, fail, refuse, limits, isLeaving, onRequest, dispatch } = needs
  const accept = (request: IncomingMessage, response: ServerResponse): void => {
    if (isPastEnd(request)) return
    const exchange = inFlight.begin(request, response)
    // The rules of heads apply to the target as it was sent.
    const refusedHead = refuseHead(request, exchange.carriesBody, limits)
    request.url = withoutOrigin(request.url ?? '')
    // Node ignores what follows an Upgrade request, so its connection is closed after the response.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    // The hook runs for every request, also for one that its head refuses; the head's refusal comes first.
    const guarded = onRequest?.(exchange, pathOf(request))
    const fault = refuseLate(exchange) ?? refusedHead
    if (fault !== undefined) {
      Promise.resolve(guarded).catch(() => {})
      refuseAndClose(exchange, fault)
    } else if (guarded instanceof Promise) {
      guarded.then(
        (refusal) => pass(exchange, request, refusal),
        (error: unknown) => fail(exchange, error),
      )
    } else pass(exchange, request, guarded)
  }

  /**
   * While the server leaves, refuses safe requests, which a proxy retries on another instance. Others would be lost, so
   * they are served. In both cases the connection ends.
   */
  const refuseLate = ({ request, response }: Exchange): Fault | undefined => {
    if (!isLeaving()) return undefined
    response.shouldKeepAlive = false
    return SAFE_METHODS.has(request.method ?? '') ? shuttingDown() : undefined
  }

  const pass = (exchange: Exchange, request: IncomingMessage, refusal: Fault | undefined): void => {
    // The deadline may have answered while the hook was waiting.
    if (exchange.finished || isAnswered(exchange)) return
    if (refusal !== undefined) fail(exchange, refusal)
    else if (request.url === '*') send(exchange, { status: 204, headers: { allow: ALL_METHODS } })
    else dispatch(exchange)
  }

  /** Closes the connection after a refused head, because later bytes on it cannot be trusted either. */
  const refuseAndClose = (exchange: Exchange, fault: Fault): void => {
    exchange.response.shouldKeepAlive = false
    fail(exchange, fault)
  }

  server.on('request', accept)
  // The body reader sends 100 Continue, so a refused client never gets it.
  server.on('checkContinue', accept)
  server.on('checkExpectation', (request, response) => {
    if (isPastEnd(request)) return
    const exchange = inFlight.begin(request, response)
    request.url = withoutOrigin(request.url ?? '')
    Promise.resolve(onRequest?.(exchange, pathOf(request))).catch(() => {})
    refuseAndClose(exchange, unknownExpectation())
  })
  server.on('connect', ({ socket }) => {
    // After CONNECT Node passes the bare socket, without error listener or reader.
    socket.on('error', () => socket.destroy())
    socket.resume()
    refuse(socket, noTunnels(), 'CONNECT')
  })
}

const pathOf = ({ url = '' }: IncomingMessage) => {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** Requests after the last response of a connection are left unanswered, as HTTP specifies. */
const isPastEnd = ({ socket }: IncomingMessage) => !socket.writable

/**
 * Strips the origin of an absolute URL, the form of request target for proxies, so that the hooks see the same path as
 * the router. Other targets stay as they are.
 */
function withoutOrigin(url: string): string {
  if (url.startsWith('/')) return url
  const [origin = ''] = /^https?:\/\/[^/?#]+/i.exec(url) ?? []
  if (origin === '') return url
  const path = url.slice(origin.length)
  return path.startsWith('/') ? path : `/${path}`
}

const shuttingDown = () =>
  new Fault('service_overloaded', 'This instance is being stopped. Send the request again in a moment.', {
    retryAfterSeconds: 1,
  })

const unknownExpectation = () =>
  refusal(
    'invalid_input',
    'The only expectation that can be met is 100-continue.',
    'Leave the Expect header out.',
    { status: 417 },
  )

const noTunnels = () =>
  refusal('invalid_input', 'CONNECT is not possible here: this is not a proxy.', 'Send the request itself.', {
    status: 405,
    headers: { allow: ALL_METHODS },
  })
