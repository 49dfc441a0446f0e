import type { Answer, Payload } from './answer.ts'
import { toPayload } from './answer.ts'
import type { Exchange, ServedRoute } from './exchange.ts'
import { isAnswered, isUploading } from './exchange.ts'
import { lingerOnClose } from './linger.ts'
import type { SecurityHeaders } from './security-headers.ts'

export type SendAnswer = (exchange: Exchange, answer: Answer) => void

/** What goes out for an answer, except for what is of one exchange alone. */
type Wire = {
  readonly status: number
  /** Names and values in turn. */
  readonly head: readonly string[]
  readonly payload: Payload | undefined
  readonly bytes: number
}

const JSON_TYPE = 'application/json; charset=utf-8'
const BODILESS_STATUSES: readonly number[] = [204, 304]

/** The one place that writes an answer, whoever gives it: a handler, the deadline, the router, a refusal. */
export function sendAnswer(security: SecurityHeaders): SendAnswer {
  const wireOf = keepWires(security)
  return (exchange, answer) => {
    // Whoever answers first is right: a handler that comes back after its deadline is not heard.
    if (isAnswered(exchange)) return
    const { request, response } = exchange
    const { status, head, payload, bytes } = wireOf(answer, exchange)
    const lines = ['x-request-id', exchange.id, ...head]
    if (exchange.headers !== undefined) addHeaders(lines, exchange.headers)
    exchange.bytes = bytes
    if (isUploading(exchange)) {
      response.shouldKeepAlive = false
      lingerOnClose(request.socket)
    }
    response.writeHead(status, lines)
    response.end(payload)
  }
}

/** An answer that is kept is written for its route once, and forgotten with it. */
function keepWires(security: SecurityHeaders) {
  const kept = new WeakMap<Answer, { readonly route: ServedRoute | undefined; readonly wire: Wire }>()
  return (answer: Answer, { route, request }: Exchange): Wire => {
    const known = answer.isKept ? kept.get(answer) : undefined
    if (known !== undefined && known.route === route) return known.wire
    const wire = toWire(answer, security.open(route, answer.headers), request.method)
    if (answer.isKept) kept.set(answer, { route, wire })
    return wire
  }
}

function toWire({ status = 200, body, headers }: Answer, head: string[], method: string | undefined): Wire {
  const payload = payloadOf(body)
  const bytes = payload === undefined ? 0 : Buffer.byteLength(payload)
  if (headers !== undefined) addHeaders(head, headers)
  if (payload !== undefined) {
    if (headers?.['content-type'] === undefined) head.push('content-type', JSON_TYPE)
    head.push('content-length', String(bytes))
  } else if (!BODILESS_STATUSES.includes(status) && method !== 'HEAD') {
    head.push('content-length', '0')
  }
  return { status, head, payload, bytes }
}

function payloadOf(body: unknown): Payload | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  return toPayload(JSON.stringify(body))
}

function addHeaders<Name extends string>(head: string[], headers: Readonly<Record<Name, string>>): void {
  for (const name in headers) head.push(name, headers[name])
}
