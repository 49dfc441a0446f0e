import { deadlineOf } from './deadline.ts'
import type { Exchange, LogFields } from './exchange.ts'
import { parseQuery, type Query } from './parse/query.ts'
import { type LargeNumbers, parseStrictJson } from './parse/strict-json.ts'
import type { Headers } from './response.ts'

/**
 * A request as a handler sees it. Query and body are functions, because reading them may throw: a handler calls them
 * when it is their turn, which is after authentication.
 */
export type HttpRequest = {
  readonly kind: 'request'
  readonly requestId: string
  readonly method: string
  /** The path of the route, such as `/things/{id}`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  /** The address of the client, in the one spelling that limits count by. */
  readonly client: string
  readonly header: (name: Lowercase<string>) => string | undefined
  readonly query: () => Query
  readonly hasBody: boolean
  /** The body as strict JSON, or `undefined` when there is none. */
  readonly body: (largeNumbers?: LargeNumbers) => unknown
  /** Aborts when the deadline has passed or the client has left. */
  readonly signal: () => AbortSignal
  /** Adds to the response, whoever gives it: the handler, an error, the deadline. */
  readonly addHeaders: (headers: Headers) => void
  /** Adds to the log line of this request. */
  readonly note: (fields: LogFields) => void
  /** What the application's hooks have left with the request. */
  readonly locals: unknown
}

type Source = {
  readonly exchange: Exchange
  readonly params: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | undefined
  readonly jsonDepth: number
}

export function toHttpRequest({ exchange, params, bytes, jsonDepth }: Source): HttpRequest {
  const { request } = exchange
  return {
    kind: 'request',
    requestId: exchange.id,
    method: request.method ?? '',
    route: exchange.route?.path ?? '',
    params,
    client: exchange.client,
    header: (name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : value?.[0]
    },
    query: () => parseQuery(request.url ?? ''),
    hasBody: bytes !== undefined && bytes.length > 0,
    body: (largeNumbers) =>
      bytes === undefined || bytes.length === 0 ? undefined : parseStrictJson(bytes, jsonDepth, largeNumbers),
    signal: () => deadlineOf(exchange),
    addHeaders: (headers) => {
      exchange.headers = exchange.headers === undefined ? headers : { ...exchange.headers, ...headers }
    },
    note: (fields) => {
      exchange.notes = exchange.notes === undefined ? fields : { ...exchange.notes, ...fields }
    },
    locals: exchange.locals,
  }
}
