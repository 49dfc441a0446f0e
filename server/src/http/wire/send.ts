import { type Exchange, isAnswered, isUploading, type Route } from './exchange.ts'
import { toHeadText } from './head-text.ts'
import type { Hooks } from './hooks.ts'
import { lingerOnClose } from './linger.ts'
import type { Headers, HttpResponse } from './response.ts'

export type Send = (exchange: Exchange, response: HttpResponse) => void

type DefaultHeaders = Hooks['defaultHeaders']

/** The parts of a response that are the same for every request. */
type Prepared = {
  readonly status: number
  /** Header lines without `content-length`. */
  readonly head: string
  readonly payload: string | Uint8Array | undefined
  readonly bytes: number
}

const JSON_TYPE = 'application/json; charset=utf-8'
/**
 * Strings up to this length are written together with the head; for longer ones copying costs more than a second
 * write.
 */
const ONE_WRITE = 8_192

/** The only place that writes responses of exchanges, including those of errors and the deadline. */
export function sendResponses({
  defaultHeaders,
  headersFor,
}: Pick<Hooks, 'defaultHeaders' | 'headersFor'>): Send {
  const prepared = prepareResponses(defaultHeaders)
  return (exchange, answer) => {
    // Only the first response is sent: a handler's result after the deadline is dropped.
    if (isAnswered(exchange)) return
    const { request, response } = exchange
    const { status, head, payload, bytes } = prepared(answer, exchange.route)
    let text = `x-request-id: ${exchange.id}\r\n${head}`
    if (exchange.headers !== undefined) text += toHeadText(exchange.headers)
    const own = headersFor?.(exchange)
    if (own !== undefined) text += toHeadText(own)
    response.headText = text
    response.statusCode = status
    exchange.bytes = bytes
    if (isUploading(exchange)) {
      response.shouldKeepAlive = false
      lingerOnClose(request.socket)
    }
    // Node adds the length itself, but not for HEAD; HTTP/1.0 clients would otherwise wait for the connection to close.
    if (payload !== undefined && (request.method === 'HEAD' || request.httpVersion !== '1.1'))
      response.setHeader('content-length', bytes)
    // For plain ASCII Node writes latin1 faster than UTF-8.
    if (typeof payload === 'string' && payload.length === bytes) response.end(payload, 'latin1')
    else response.end(payload)
  }
}

/** Caches the prepared form of each shared response, for the last route only. */
function prepareResponses(defaultHeaders: DefaultHeaders) {
  type Cached = { readonly route: Route | undefined; readonly prepared: Prepared }
  const cache = new WeakMap<HttpResponse, Cached>()
  return (response: HttpResponse, route: Route | undefined): Prepared => {
    if (!response.isShared) return prepare(response, route, defaultHeaders)
    const cached = cache.get(response)
    if (cached !== undefined && cached.route === route) return cached.prepared
    const prepared = prepare(response, route, defaultHeaders)
    cache.set(response, { route, prepared })
    return prepared
  }
}

function prepare(response: HttpResponse, route: Route | undefined, defaultHeaders: DefaultHeaders): Prepared {
  const { status = 200, cache } = response
  const payload = payloadOf(response.body)
  const bytes = payload === undefined ? 0 : Buffer.byteLength(payload)
  const headers = {
    ...defaultHeaders(route),
    ...(payload !== undefined && { 'content-type': JSON_TYPE }),
    ...response.headers,
    ...(cache && cacheHeaders(cache)),
  }
  return { status, head: toHeadText(headers), payload, bytes }
}

const cacheHeaders = ({ etag, maxAgeSeconds }: NonNullable<HttpResponse['cache']>): Headers => ({
  etag,
  'cache-control': `public, max-age=${maxAgeSeconds}`,
})

function payloadOf(body: unknown): Prepared['payload'] {
  if (body === undefined || body instanceof Uint8Array) return body
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.length <= ONE_WRITE ? text : Buffer.from(text)
}
