import type { AuditEntry } from '#api/audit-entry.ts'
import type { LogFields } from '#ports/logger.ts'
import type { AnswerHeaders } from './answer.ts'
import { deadlineOf } from './deadline.ts'
import type { Exchange } from './exchange.ts'
import type { Query } from './query.ts'
import { parseQuery } from './query.ts'
import { parseStrictJson } from './strict-json.ts'

/**
 * A request as a handler sees it. What may be refused is a function and is parsed when it is asked for, because
 * validation comes after authentication and quota.
 */
export type Inbound = {
  readonly kind: 'request'
  readonly requestId: string
  readonly method: string
  /** The template of the route, such as `/api/v1/staking/validators/{id}`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  /** Who is asking, in the one spelling that limits count by. */
  readonly client: string
  header(name: Lowercase<string>): string | undefined
  readonly query: () => Query
  /** The body as strict JSON, or `undefined` when there is none. */
  readonly body: () => unknown
  /** Aborts when the time is up or the client is gone. */
  readonly signal: () => AbortSignal
  /** Adds to the answer, whoever gives it: the handler, a refusal, the deadline. */
  addHeaders(headers: AnswerHeaders): void
  /** What the audit log is told of this request when its answer has left. */
  readonly audit: AuditEntry | undefined
  /** Adds to the log line of this request. */
  readonly note: (fields: LogFields) => void
}

type Source = {
  readonly exchange: Exchange
  readonly params: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | undefined
}

export function toInbound({ exchange, params, bytes }: Source): Inbound {
  const { request } = exchange
  return {
    kind: 'request',
    requestId: exchange.id,
    method: request.method ?? '',
    route: exchange.route?.template ?? '',
    params,
    client: exchange.client,
    header: (name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : value?.[0]
    },
    query: () => parseQuery(request.url ?? ''),
    body: () => (bytes === undefined || bytes.length === 0 ? undefined : parseStrictJson(bytes)),
    signal: () => deadlineOf(exchange),
    addHeaders: (headers) => {
      exchange.headers = exchange.headers === undefined ? headers : { ...exchange.headers, ...headers }
    },
    audit: exchange.audit,
    note: (fields) => {
      exchange.notes = exchange.notes === undefined ? fields : { ...exchange.notes, ...fields }
    },
  }
}
