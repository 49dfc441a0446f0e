import type { IncomingMessage } from 'node:http'
import { type Fault, refusal } from '../../../fault.ts'
import type { Exchange } from '../exchange.ts'

// Fast path: the usual spelling needs no regular expression.
const isJson = (type: string) =>
  type === 'application/json' || /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type)

/** Exactly one of the two is called, once. */
type BodyReader = {
  readonly take: (bytes: Uint8Array) => void
  readonly refuse: (fault: Fault) => void
}

/** Reads the whole body, or refuses it at the first byte above `limit`. */
export function readBody({ request, response }: Exchange, limit: number, reader: BodyReader): void {
  const type = request.headers['content-type'] ?? ''
  if (!isJson(type)) {
    reader.refuse(notJson(type))
    return
  }
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
  // A small body usually arrives with its head. After this turn of the event loop Node has parsed all bytes received; a
  // complete body is then read at once, without stream events.
  setImmediate(() => (request.complete ? takeWhole : collect)(request, limit, reader))
}

function takeWhole(request: IncomingMessage, limit: number, { take, refuse }: BodyReader): void {
  const chunks: Uint8Array[] = []
  let length = 0
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) {
    chunks.push(chunk)
    length += chunk.length
  }
  if (length > limit) refuse(bodyTooLarge(limit))
  else take(joined(chunks, length))
}

function collect(request: IncomingMessage, limit: number, { take, refuse }: BodyReader): void {
  const chunks: Uint8Array[] = []
  let length = 0
  request.on('data', (chunk: Uint8Array) => {
    length += chunk.length
    if (length <= limit) {
      chunks.push(chunk)
      return
    }
    // Later bytes are discarded until the connection is closed.
    request.removeAllListeners('data')
    request.resume()
    refuse(bodyTooLarge(limit))
  })
  request.on('end', () => length <= limit && take(joined(chunks, length)))
  request.on('error', (cause) => length <= limit && refuse(bodyIncomplete(cause)))
}

const joined = (chunks: readonly Uint8Array[], length: number): Uint8Array =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)

export const bodyTooLarge = (limit: number) =>
  refusal('invalid_input', `The body is larger than ${limit} bytes.`, 'Send less at a time.', { status: 413 })

const bodyIncomplete = (cause: unknown) =>
  refusal('invalid_input', 'The connection ended before the body was complete.', 'Send it again.', { cause })

const notJson = (type: string) => {
  const problem =
    type === '' ? 'The body has no Content-Type.' : 'The body has a Content-Type that is not read here.'
  return refusal('invalid_input', problem, 'Send JSON in UTF-8, with Content-Type: application/json.', {
    status: 415,
  })
}
