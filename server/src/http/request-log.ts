import { performance } from 'node:perf_hooks'
import type { RecordMalformed, RecordOutcome } from '#api/audit-entry.ts'
import { statusOf, toFault } from '#api/error-body.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import { toAuditEntry } from './audit-locals.ts'
import { type Exchange, isDelivered } from './wire/exchange.ts'
import type { Hooks } from './wire/hooks.ts'

/** Labels are route templates, never URLs, so clients cannot enlarge the set of labels. */
const UNROUTED = '(none)'
/** nginx's status for a client that disconnects before the response. */
const CLIENT_GONE = 499

type Needs = {
  readonly logger: Logger
  readonly meters: Meters
  readonly recordOutcome: RecordOutcome | undefined
  readonly recordMalformed: RecordMalformed | undefined
}

/** Logs one line per request with fixed fields, so that no header, query or body is ever logged. */
export function openRequestLog({
  logger,
  meters,
  recordOutcome,
  recordMalformed,
}: Needs): Pick<Hooks, 'onFinish' | 'onError' | 'onRefusedBytes'> {
  return {
    onFinish(exchange) {
      const { id, client, request, startedAt, bytes, notes } = exchange
      const status = statusSent(exchange)
      const route = exchange.route?.path ?? UNROUTED
      const method = request.method ?? ''
      const latencyMs = performance.now() - startedAt
      const audit = toAuditEntry(exchange.locals)
      if (audit !== undefined) {
        audit.outcome = { status, latencyMs }
        recordOutcome?.(audit, route, client)
      }
      meters.requestFinished(route, method, status, latencyMs / 1_000)
      const line = {
        requestId: id,
        route,
        method,
        status,
        latencyMs: Math.round(latencyMs * 100) / 100,
        bytes,
      }
      const delivered = isDelivered(exchange) ? undefined : { delivered: false }
      logger.info('request', delivered || notes ? { ...line, ...delivered, ...notes } : line)
    },
    // Refusals are in the line of their request only; internal errors also get a line with their cause.
    onError(exchange, error) {
      const fault = toFault(error)
      if (statusOf(fault) < 500 || fault.cause === undefined) return
      const route = exchange.route?.path ?? UNROUTED
      logger.error('request failed', fault.cause, { requestId: exchange.id, route, code: fault.code })
    },
    onRefusedBytes({ requestId, client, status, reason }) {
      recordMalformed?.(client, status)
      meters.requestFinished(UNROUTED, UNROUTED, status, 0)
      logger.info('request', { requestId, route: UNROUTED, method: UNROUTED, status, reason })
    },
  }
}

const statusSent = (exchange: Exchange) =>
  isDelivered(exchange) || exchange.response.headersSent ? exchange.response.statusCode : CLIENT_GONE
