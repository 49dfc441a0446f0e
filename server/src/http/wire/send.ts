import type { Answer, AnswerHeaders } from './answer.ts'
import type { Exchange, ServedRoute } from './exchange.ts'
import { isAnswered, isUploading } from './exchange.ts'
import { lingerOnClose } from './linger.ts'
import type { SecurityHeaders } from './security-headers.ts'

export type SendAnswer = (exchange: Exchange, answer: Answer) => void

/** An answer as it is written, except for what differs from request to request. */
type Prepared = {
  readonly status: number
  /** Names and values in turn. */
  readonly head: readonly string[]
  readonly payload: string | Uint8Array | undefined
  readonly bytes: number
}

const JSON_TYPE = 'application/json; charset=utf-8'
const BODILESS_STATUSES: readonly number[] = [204, 304]
/** Up to this length a text leaves in the same write as the head; beyond it, copying costs more than a second write. */
const ONE_WRITE = 8_192

/** The one place that writes an answer, whoever gives it: a handler, the deadline, the router, a refusal. */
export function sendAnswer(security: SecurityHeaders): SendAnswer {
  const prepared = prepareAnswers(security)
  return (exchange, answer) => {
    // The first answer counts: what a handler returns after its deadline is dropped.
    if (isAnswered(exchange)) return
    const { request, response } = exchange
    const { status, head, payload, bytes } = prepared(answer, exchange.route)
    const lines = ['x-request-id', exchange.id, ...head]
    if (exchange.headers !== undefined) addHeaders(lines, exchange.headers)
    if (payload === undefined && request.method !== 'HEAD' && !BODILESS_STATUSES.includes(status))
      lines.push('content-length', '0')
    exchange.bytes = bytes
    if (isUploading(exchange)) {
      response.shouldKeepAlive = false
      lingerOnClose(request.socket)
    }
    response.writeHead(status, lines)
    response.end(payload)
  }
}

/** Caches what is prepared for a shared answer, for the route that it was last sent on. */
function prepareAnswers(security: SecurityHeaders) {
  type Cached = { readonly route: ServedRoute | undefined; readonly prepared: Prepared }
  const cache = new WeakMap<Answer, Cached>()
  return (answer: Answer, route: ServedRoute | undefined): Prepared => {
    if (!answer.isShared) return prepare(answer, route, security)
    const cached = cache.get(answer)
    if (cached !== undefined && cached.route === route) return cached.prepared
    const prepared = prepare(answer, route, security)
    cache.set(answer, { route, prepared })
    return prepared
  }
}

function prepare(answer: Answer, route: ServedRoute | undefined, security: SecurityHeaders): Prepared {
  const { status = 200, cache } = answer
  const payload = payloadOf(answer.body)
  const bytes = payload === undefined ? 0 : Buffer.byteLength(payload)
  const headers = cache === undefined ? answer.headers : { ...answer.headers, ...cacheHeaders(cache) }
  const head = security.open(route, headers)
  if (headers !== undefined) addHeaders(head, headers)
  if (payload !== undefined) {
    if (headers?.['content-type'] === undefined) head.push('content-type', JSON_TYPE)
    head.push('content-length', String(bytes))
  }
  return { status, head, payload, bytes }
}

const cacheHeaders = ({ etag, maxAgeSeconds }: NonNullable<Answer['cache']>): AnswerHeaders => ({
  etag,
  'cache-control': `public, max-age=${maxAgeSeconds}`,
})

function payloadOf(body: unknown): Prepared['payload'] {
  if (body === undefined || body instanceof Uint8Array) return body
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.length <= ONE_WRITE ? text : Buffer.from(text)
}

function addHeaders<Name extends string>(head: string[], headers: Readonly<Record<Name, string>>): void {
  for (const name in headers) head.push(name, headers[name])
}
