import { deadlineOf } from './deadline.ts'
import type { Exchange, LogFields } from './exchange.ts'
import { matchesEtag } from './parse/etag.ts'
import { preferredType } from './parse/preferred-type.ts'
import { parseQuery, type Query } from './parse/query.ts'
import { type LargeNumbers, parseStrictJson, type ShownKey } from './parse/strict-json.ts'
import type { Headers } from './response.ts'

/**
 * A request as a handler gets it. Query and body are functions, because parsing them may throw: a handler calls them
 * after authentication.
 */
export type HttpRequest = {
  readonly kind: 'request'
  readonly requestId: string
  readonly method: string
  /** The path of the route, such as `/things/{id}`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  /** The client's address in canonical form, by which limits count. */
  readonly client: string
  readonly header: (name: Lowercase<string>) => string | undefined
  /** Whether `If-None-Match` lists this ETag: the client has this version. */
  readonly hasEtag: (etag: string) => boolean
  /** The type that `Accept` prefers among these; undefined: it names none of them. */
  readonly prefers: <Type extends string>(types: readonly Type[]) => Type | undefined
  readonly query: () => Query
  readonly hasBody: boolean
  /** Parses the body as strict JSON; `undefined` if there is none. */
  readonly body: (largeNumbers?: LargeNumbers) => unknown
  /** Aborts at the deadline or when the client disconnects. */
  readonly signal: () => AbortSignal
  /** Adds headers to the response, also to that of an error or the deadline. */
  readonly addHeaders: (headers: Headers) => void
  /** Adds fields to the log line of this request. */
  readonly note: (fields: LogFields) => void
  /** Data of the application's hooks. */
  readonly locals: unknown
}

type Source = {
  readonly exchange: Exchange
  readonly params: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | undefined
  readonly jsonDepth: number
  readonly shownKey: ShownKey | undefined
}

export function toHttpRequest({ exchange, params, bytes, jsonDepth, shownKey }: Source): HttpRequest {
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
    hasEtag: (etag) => matchesEtag(request.headers['if-none-match'], etag),
    prefers: (types) => preferredType(request.headers.accept, types),
    query: () => parseQuery(request.url ?? ''),
    hasBody: bytes !== undefined && bytes.length > 0,
    body: (largeNumbers) =>
      bytes === undefined || bytes.length === 0
        ? undefined
        : parseStrictJson(bytes, jsonDepth, largeNumbers, shownKey),
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
