import type { LogFields } from '#ports/logger.ts'
import type { AnswerHeaders } from './answer.ts'
import { newTrail, type Trail } from './audit-trail.ts'
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
  readonly requestId: string
  readonly method: string
  /** The template of the route, such as `/api/v1/staking/validators/{id}`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  /** Who is asking, in the one spelling that limits count by. */
  readonly client: string
  header(name: Lowercase<string>): string | undefined
  query(): Query
  /** The body as strict JSON, or `undefined` when there is none. */
  body(): unknown
  /** Aborts when the time is up or the client is gone. */
  signal(): AbortSignal
  /** Adds to the answer, whoever gives it: the handler, a refusal, the deadline. */
  addHeaders(headers: AnswerHeaders): void
  /** What the audit log is told of this request; nothing is as long as it is open. */
  openTrail(at: number): Trail
  /** Adds to the log line of this request. */
  note(fields: LogFields): void
}

type Source = {
  readonly exchange: Exchange
  readonly params: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | undefined
}

export function toInbound({ exchange, params, bytes }: Source): Inbound {
  const { request } = exchange
  return {
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
    openTrail: (at) => {
      exchange.trail ??= newTrail(at)
      exchange.trail.isOpen = true
      return exchange.trail
    },
    note: (fields) => {
      exchange.notes = exchange.notes === undefined ? fields : { ...exchange.notes, ...fields }
    },
  }
}
