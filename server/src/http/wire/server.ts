import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { limitConnections } from './connection-limit.ts'
import { enforceDeadlines } from './deadline.ts'
import { drain } from './drain.ts'
import { type FailExchange, isAnswered, type Route } from './exchange.ts'
import type { Hooks } from './hooks.ts'
import { trackInFlight } from './in-flight.ts'
import { type ListenAt, type ListeningAt, listenAt, nodeServer, unlessArrived } from './node-server.ts'
import { acceptRequests } from './on-request.ts'
import type { SizeLimits } from './parse/head-rules.ts'
import { refuseRaw, toParserFault } from './raw-refusal.ts'
import { type Handler, openRouter } from './router.ts'
import { type Send, sendResponses } from './send.ts'

export type ServerOptions = SizeLimits & {
  /** Timeout of a request from the end of its head on; then it is answered with an error. */
  readonly requestMs: number
  /** Time after that until its connection is destroyed, if the response is still not delivered. */
  readonly cutMs?: number
  readonly keepAliveMs?: number
  readonly maxConnections?: number
  /** Undefined: no limit per address, as behind a proxy. */
  readonly connectionsPerAddress?: number | undefined
  readonly maxRequestsPerSocket?: number
  /** Number of proxies in front whose entries in `X-Forwarded-For` are trusted. */
  readonly trustProxyHops?: number
  /** Time before a stop closes the port, in which safe requests are refused so that proxies use another instance. */
  readonly leaveMs?: number
  /** Delay function, replaced in tests. */
  readonly wait?: (ms: number) => Promise<unknown>
}

const DEFAULTS = {
  cutMs: 900,
  keepAliveMs: 5_000,
  maxConnections: 2_000,
  maxRequestsPerSocket: 1_000,
  trustProxyHops: 0,
  leaveMs: 0,
  wait: (ms: number) => delay(ms),
} as const

export type HttpServer = AsyncDisposable & {
  /** Adds a route. All routes are added before `listen`. */
  serve(route: Route, handler: Handler): void
  listen(at: ListenAt): Promise<ListeningAt>
  /** Finishes requests in flight and refuses new ones; resolves within the grace, when all connections are closed. */
  close(graceMs: number): Promise<void>
}

/** An HTTP server that answers every request within its deadline, with the application's error body. */
export function openServer(hooks: Hooks, options: ServerOptions): HttpServer {
  const settings = { ...DEFAULTS, ...options }
  const { requestMs, cutMs, trustProxyHops, maxRequestsPerSocket } = settings
  const send = sendResponses(hooks)
  const fail = failExchange(hooks, send)
  const { onFinish, onIgnoredProxy } = hooks
  const inFlight = trackInFlight({ maxRequestsPerSocket, trustProxyHops, onFinish, onIgnoredProxy })
  const deadlines = enforceDeadlines({ inFlight: inFlight.exchanges, fail, requestMs, cutMs })
  const refuse = refuseRaw(hooks, fail)
  const router = openRouter({ send, fail, hooks, limits: settings })

  const server = nodeServer(settings)
  limitConnections(server, settings, refuse)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const act = () => refuse(socket, toParserFault(error, requestMs), error.code ?? error.message)
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') unlessArrived(() => socket.latestExchange, act)
    else act()
  })

  let closing: Promise<void> | undefined
  const leave = async (graceMs: number) => {
    const announcedMs = Math.min(settings.leaveMs, graceMs)
    if (announcedMs > 0 && server.listening) await settings.wait(announcedMs)
    await drain(server, inFlight, graceMs - announcedMs)
    deadlines[Symbol.dispose]()
  }
  const close = (graceMs: number) => {
    closing ??= leave(graceMs)
    return closing
  }
  acceptRequests({
    server,
    inFlight,
    send,
    fail,
    refuse,
    limits: settings,
    isLeaving: () => closing !== undefined,
    onRequest: hooks.onRequest,
    dispatch: router.dispatch,
  })

  return {
    serve: router.serve,
    listen: (at) => listenAt(server, at),
    close,
    [Symbol.asyncDispose]: () => close(0),
  }
}

function failExchange({ onError, toErrorResponse }: Hooks, send: Send): FailExchange {
  return (exchange, error) => {
    if (!isAnswered(exchange)) onError(exchange, error)
    send(exchange, toErrorResponse(error, exchange.id, exchange.request))
  }
}
