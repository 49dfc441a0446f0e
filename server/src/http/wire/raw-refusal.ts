import type { Socket } from 'node:net'
import { type Fault, refusal } from '../../fault.ts'
import { uploadTooSlow } from './deadline.ts'
import { type FailExchange, isUploading } from './exchange.ts'
import { toHeadText } from './head-text.ts'
import type { Hooks } from './hooks.ts'
import { lingerOnClose } from './linger.ts'
import { STATUS_CODES } from './node-server.ts'
import { clientAddress } from './parse/client-address.ts'
import { newRequestId } from './request-id.ts'

export type RefuseRaw = (socket: Socket, fault: Fault, reason: string) => void

/**
 * Refuses bytes that could not be parsed as a request, by writing a response to the socket; Node would send a bare
 * status line, or nothing. The refusal waits until the previous request is answered, to keep the order of responses.
 */
export function refuseRaw(hooks: Hooks, fail: FailExchange): RefuseRaw {
  return (socket, fault, reason) => {
    if (!socket.writable) return
    const latest = socket.latestExchange
    if (latest === undefined || latest.finished) void write(socket, fault, reason)
    else if (isUploading(latest)) fail(latest, fault)
    else latest.next ??= () => void write(socket, fault, reason)
  }

  async function write(socket: Socket, fault: Fault, reason: string): Promise<void> {
    const client = clientAddress(socket.remoteAddress, [], 0)
    let answered: unknown = fault
    try {
      answered = (await hooks.onMalformed?.(client)) ?? fault
    } catch (error) {
      answered = error
    }
    writeFault(socket, answered, reason, client)
  }

  function writeFault(socket: Socket, fault: unknown, reason: string, client: string): void {
    if (!socket.writable) return
    const id = newRequestId()
    const { status, body, headers = {} } = hooks.toErrorResponse(fault, id)
    const bytes = JSON.stringify(body)
    const head = toHeadText({
      'x-request-id': id,
      ...hooks.defaultHeaders(undefined),
      'content-type': 'application/json; charset=utf-8',
      ...headers,
      'content-length': String(Buffer.byteLength(bytes)),
      date: new Date().toUTCString(),
      connection: 'close',
    })
    lingerOnClose(socket)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${bytes}`)
    socket.destroySoon()
    hooks.onRefusedBytes({ requestId: id, client, status, reason })
  }
}

const refuseWith = (status: number, problem: string, fix: string) =>
  refusal('invalid_input', problem, fix, { status })

const PARSER_FAULTS: Readonly<Record<string, (requestMs: number) => Fault>> = {
  HPE_HEADER_OVERFLOW: () => refuseWith(431, 'The headers are larger than 16 KB together.', 'Send less.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    refuseWith(413, 'The chunk extensions are too long.', 'Leave them out.'),
  ERR_HTTP_REQUEST_TIMEOUT: uploadTooSlow,
}
/** Converts an error of Node's parser to a fault. */
export const toParserFault = ({ code = '' }: NodeJS.ErrnoException, requestMs: number): Fault =>
  PARSER_FAULTS[code]?.(requestMs) ??
  refuseWith(
    400,
    'This is not a well-formed HTTP/1.1 request.',
    'Check the request line, headers and body framing.',
  )
