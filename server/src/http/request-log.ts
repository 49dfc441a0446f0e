import { performance } from 'node:perf_hooks'
import type { RecordOutcome } from '#api/audit-entry.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import type { Exchange } from './exchange.ts'
import { isDelivered } from './exchange.ts'

/** Templates only, never URLs: whatever a client may send, the set of labels stays small. */
const UNROUTED = '(none)'
/** The client left before its answer; the number is nginx's for the same thing. */
const CLIENT_GONE = 499

export type RequestLog = {
  finished(exchange: Exchange): void
  failed(exchange: Exchange, code: string, cause: unknown): void
  /** Bytes that never became a request. */
  unreadable(requestId: string, status: number, reason: string): void
}

type Needs = {
  readonly logger: Logger
  readonly meters: Meters
  readonly recordOutcome: RecordOutcome | undefined
}

/** One wide line for each request. Its fields are chosen here, so that no header, query or body can be among them. */
export function openRequestLog({ logger, meters, recordOutcome }: Needs): RequestLog {
  return {
    finished(exchange) {
      const { id, client, request, response, startedAt, bytes, notes, audit } = exchange
      const status = isDelivered(exchange) || response.headersSent ? response.statusCode : CLIENT_GONE
      const route = exchange.route?.template ?? UNROUTED
      const method = request.method ?? ''
      const latencyMs = performance.now() - startedAt
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
    failed(exchange, code, cause) {
      const route = exchange.route?.template ?? UNROUTED
      logger.error('request failed', cause, { requestId: exchange.id, route, code })
    },
    unreadable(requestId, status, reason) {
      meters.requestFinished(UNROUTED, UNROUTED, status, 0)
      logger.info('request', { requestId, route: UNROUTED, method: UNROUTED, status, reason })
    },
  }
}
