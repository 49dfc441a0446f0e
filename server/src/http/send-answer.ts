import type { Answer, Payload } from './answer.ts'
import { toPayload } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { isAnswered, isUploading } from './exchange.ts'
import { lingerOnClose } from './linger.ts'
import type { SecurityHeaders } from './security-headers.ts'

export type SendAnswer = (exchange: Exchange, answer: Answer) => void

const JSON_TYPE = 'application/json; charset=utf-8'
const BODILESS_STATUSES: readonly number[] = [204, 304]

/** The one place that writes an answer, whoever gives it: a handler, the deadline, the router, a refusal. */
export function sendAnswer(security: SecurityHeaders): SendAnswer {
  return (exchange, { status = 200, body, headers }) => {
    // Whoever answers first is right: a handler that comes back after its deadline is not heard.
    if (isAnswered(exchange)) return
    const { request, response } = exchange
    const payload = payloadOf(body)
    const head = security.open(exchange.id, exchange.route, headers)
    if (headers !== undefined) addHeaders(head, headers)
    if (exchange.headers !== undefined) addHeaders(head, exchange.headers)
    if (payload !== undefined) {
      if (headers?.['content-type'] === undefined) head.push('content-type', JSON_TYPE)
      exchange.bytes = Buffer.byteLength(payload)
      head.push('content-length', String(exchange.bytes))
    } else if (!BODILESS_STATUSES.includes(status) && request.method !== 'HEAD') {
      head.push('content-length', '0')
    }
    if (isUploading(exchange)) {
      response.shouldKeepAlive = false
      lingerOnClose(request.socket)
    }
    response.writeHead(status, head)
    response.end(payload)
  }
}

function payloadOf(body: unknown): Payload | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  return toPayload(JSON.stringify(body))
}

function addHeaders<Name extends string>(head: string[], headers: Readonly<Record<Name, string>>): void {
  for (const name in headers) head.push(name, headers[name])
}
