import type { Socket } from 'node:net'
import { Fault } from '../fault.ts'
import { uploadTooSlow } from './deadline.ts'
import type { FailExchange } from './exchange.ts'
import { isUploading } from './exchange.ts'
import { faultToResponse } from './fault-to-response.ts'
import { lingerOnClose } from './linger.ts'
import { STATUS_CODES } from './node-http.ts'
import { newRequestId } from './request-id.ts'
import type { RequestLog } from './request-log.ts'
import type { SecurityHeaders } from './security-headers.ts'

type Needs = {
  readonly security: SecurityHeaders
  readonly log: RequestLog
  readonly fail: FailExchange
}

export type RefuseOnWire = (socket: Socket, fault: Fault, reason: string) => void

/**
 * Refuses on a connection what never became a request of its own: Node would send a bare status line, or nothing.
 * Answers keep their order: what was asked before is answered before.
 */
export function refuseOnWire({ security, log, fail }: Needs): RefuseOnWire {
  return (socket, fault, reason) => {
    if (!socket.writable) return
    const latest = socket.latestExchange
    if (latest === undefined || latest.finished) write(socket, fault, reason)
    else if (isUploading(latest)) fail(latest, fault)
    else latest.next ??= () => write(socket, fault, reason)
  }

  function write(socket: Socket, fault: Fault, reason: string): void {
    if (!socket.writable) return
    const id = newRequestId()
    const { status, body, headers } = faultToResponse(fault, id)
    const bytes = JSON.stringify(body)
    const head = ['x-request-id', id, ...security.open(undefined, headers)]
    for (const [name, value] of Object.entries(headers)) head.push(name, value)
    head.push('content-type', 'application/json; charset=utf-8')
    head.push('content-length', String(Buffer.byteLength(bytes)))
    head.push('date', new Date().toUTCString(), 'connection', 'close')
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
    for (let at = 0; at < head.length; at += 2) lines.push(`${head[at]}: ${head[at + 1]}`)
    lingerOnClose(socket)
    socket.write(`${lines.join('\r\n')}\r\n\r\n${bytes}`)
    socket.destroySoon()
    log.unreadable(id, status, reason)
  }
}

const refusal = (status: number, message: string) => new Fault('invalid_input', message, { status })

const PARSER_FAULTS: Readonly<Record<string, (requestMs: number) => Fault>> = {
  HPE_HEADER_OVERFLOW: () => refusal(431, 'The headers are larger than 16 KB together. Send less.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => refusal(413, 'The chunk extensions are too long. Leave them out.'),
  ERR_HTTP_REQUEST_TIMEOUT: uploadTooSlow,
}
const MALFORMED =
  'This is not a well-formed HTTP/1.1 request. Check the request line, headers and body framing.'

/** What Node's parser says, as a fault. */
export const toParserFault = ({ code = '' }: NodeJS.ErrnoException, requestMs: number): Fault =>
  PARSER_FAULTS[code]?.(requestMs) ?? refusal(400, MALFORMED)
