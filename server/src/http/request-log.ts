import { performance } from 'node:perf_hooks'
import type { LogFields, Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import type { Exchange } from './exchange.ts'
import { isDelivered } from './exchange.ts'
import { scrub, scrubLines } from './scrub.ts'

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

/** One wide line for each request. Its fields are chosen here, so that no header, query or body can be among them. */
export function openRequestLog({ logger, meters }: { logger: Logger; meters: Meters }): RequestLog {
  return {
    finished(exchange) {
      const { id, request, response, startedAt, bytes, notes } = exchange
      const status = isDelivered(exchange) || response.headersSent ? response.statusCode : CLIENT_GONE
      const route = exchange.route?.template ?? UNROUTED
      const method = request.method ?? ''
      const latencyMs = performance.now() - startedAt
      exchange.onFinished?.(status, latencyMs)
      meters.requestFinished(route, method, status, latencyMs / 1_000)
      const line = {
        requestId: id,
        route,
        method,
        status,
        latencyMs: Math.round(latencyMs * 100) / 100,
        bytes,
      }
      if (!isDelivered(exchange)) logger.info('request', { ...line, delivered: false, ...cleanNotes(notes) })
      else logger.info('request', notes === undefined ? line : { ...line, ...cleanNotes(notes) })
    },
    failed(exchange, code, cause) {
      const route = exchange.route?.template ?? UNROUTED
      logger.error('request failed', scrubError(cause), { requestId: exchange.id, route, code })
    },
    unreadable(requestId, status, reason) {
      meters.requestFinished(UNROUTED, UNROUTED, status, 0)
      logger.info('request', { requestId, route: UNROUTED, method: UNROUTED, status, reason: scrub(reason) })
    },
  }
}

function cleanNotes(fields: LogFields = {}): LogFields {
  const clean: Record<string, LogFields[string]> = {}
  for (const name in fields) {
    const value = fields[name]
    clean[name] = typeof value === 'string' ? scrub(value) : value
  }
  return clean
}

const MAX_CAUSES = 5

/** A copy with the texts of an error and of what caused it, and nothing else that may hang on them. */
export function scrubError(error: unknown): Error {
  const stacks: string[] = []
  let cause = error
  while (cause !== undefined && stacks.length < MAX_CAUSES) {
    stacks.push(cause instanceof Error ? (cause.stack ?? cause.message) : describe(cause))
    cause = cause instanceof Error ? cause.cause : undefined
  }
  const copy = new Error(scrub(error instanceof Error ? error.message : describe(error)))
  copy.stack = scrubLines(stacks.join('\ncaused by: '))
  if (!(error instanceof Error)) return copy
  copy.name = scrub(error.name)
  return 'code' in error && typeof error.code === 'string'
    ? Object.assign(copy, { code: scrub(error.code) })
    : copy
}

/** Something that is not an error was thrown; only a text can be shown without looking inside. */
const describe = (thrown: unknown) => (typeof thrown === 'string' ? thrown : `a thrown ${typeof thrown}`)
