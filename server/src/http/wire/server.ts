import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '@stakewright/contract/limits'
import type { RecordOutcome } from '#api/audit-entry.ts'
import { statusOf, toFault } from '#api/error-body.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import { enforceDeadlines } from './deadline.ts'
import { drain } from './drain.ts'
import type { FailExchange } from './exchange.ts'
import { isAnswered } from './exchange.ts'
import { faultToResponse } from './fault-to-response.ts'
import { openGate } from './gate.ts'
import type { EdgeGuard } from './guard-together.ts'
import type { ListenAt, ListeningAt } from './listen.ts'
import { listenAt } from './listen.ts'
import { nodeServer } from './node-server.ts'
import type { RequestLog } from './request-log.ts'
import { openRequestLog } from './request-log.ts'
import type { RouteRow } from './routing.ts'
import { openRouting } from './routing.ts'
import type { Handler } from './run-handler.ts'
import { securityHeaders } from './security-headers.ts'
import type { SendAnswer } from './send-answer.ts'
import { sendAnswer } from './send-answer.ts'
import { watchTraffic } from './traffic.ts'
import { refuseOnWire, toParserFault } from './wire-refusal.ts'

export type EdgeNeeds = {
  readonly logger: Logger
  readonly meters: Meters
  /** Without one everybody may come as often as they like. */
  readonly guard?: EdgeGuard
  /** Without it the audit log is told nothing. */
  readonly recordOutcome?: RecordOutcome
}

export type EdgeOptions = {
  /** How long a request may take from the end of its head on; then it is answered for. */
  readonly requestMs?: number
  /** How much later its connection is cut, if the answer is still not delivered. */
  readonly cutMs?: number
  readonly keepAliveMs?: number
  readonly maxConnections?: number
  readonly maxRequestsPerSocket?: number
  readonly trustProxyHops?: number
  /** How long a stop is announced, by refusing what others can serve, before connections are refused too. */
  readonly leaveMs?: number
  readonly publicUrl?: string
}

const DEFAULTS = {
  requestMs: LIMITS.requestMs,
  cutMs: 900,
  keepAliveMs: 5_000,
  maxConnections: 2_000,
  maxRequestsPerSocket: 1_000,
  trustProxyHops: 0,
  leaveMs: 0,
} as const

export type Edge = AsyncDisposable & {
  /** Serves a row of the contract. All rows are given before `listen`. */
  serve(row: RouteRow, handler: Handler): void
  listen(at: ListenAt): Promise<ListeningAt>
  /** Finishes what is in flight, refuses what is new; resolves within the grace, when every connection is closed. */
  close(graceMs: number): Promise<void>
}

/** The door of the service: every byte that comes in or goes out passes here. */
export function openEdge(
  { logger, meters, guard, recordOutcome }: EdgeNeeds,
  options: EdgeOptions = {},
): Edge {
  const settings = { ...DEFAULTS, ...options }
  const { requestMs, cutMs, trustProxyHops, maxRequestsPerSocket } = settings
  const log = openRequestLog({ logger, meters, recordOutcome })
  const security = securityHeaders(options.publicUrl)
  const send = sendAnswer(security)
  const fail = failExchange({ log, send })
  const traffic = watchTraffic({ maxRequestsPerSocket, trustProxyHops, onFinished: log.finished })
  const deadlines = enforceDeadlines({ inFlight: traffic.inFlight, fail, requestMs, cutMs })
  const refuse = refuseOnWire({ security, log, fail })

  const server = nodeServer(settings)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuse(socket, toParserFault(error, requestMs), error.code ?? error.message),
  )
  const routing = openRouting({ send, fail })

  let closing: Promise<void> | undefined
  const leave = async (graceMs: number) => {
    const announcedMs = Math.min(settings.leaveMs, graceMs)
    if (announcedMs > 0 && server.listening) await delay(announcedMs)
    await drain(server, traffic, graceMs)
    deadlines[Symbol.dispose]()
  }
  const close = (graceMs: number) => {
    closing ??= leave(graceMs)
    return closing
  }
  openGate({
    server,
    traffic,
    send,
    fail,
    refuse,
    isLeaving: () => closing !== undefined,
    guard,
    dispatch: routing.dispatch,
  })

  return {
    serve: routing.serve,
    listen: (at) => listenAt(server, at),
    close,
    [Symbol.asyncDispose]: () => close(0),
  }
}

type Failing = { readonly log: RequestLog; readonly send: SendAnswer }

/** Answers with an error. What is our own fault and has a cause is logged with it. */
function failExchange({ log, send }: Failing): FailExchange {
  return (exchange, error) => {
    const fault = toFault(error)
    const isOurs = statusOf(fault) >= 500 && fault.cause !== undefined
    if (isOurs && !isAnswered(exchange)) log.failed(exchange, fault.code, fault.cause)
    send(exchange, faultToResponse(fault, exchange.id))
  }
}
