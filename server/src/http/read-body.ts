import { Fault } from '../fault.ts'
import type { Exchange } from './exchange.ts'

// The usual spelling is told without the pattern.
const isJson = (type: string) =>
  type === 'application/json' || /^application\/json *(; *charset="?utf-8"? *)?$/i.test(type)

/** The bytes of the body: all of them, or none when there are more than `limit`, at the first byte too many. */
export function readBody(exchange: Exchange, limit: number): Promise<Uint8Array> {
  const { request, response } = exchange
  const type = request.headers['content-type'] ?? ''
  if (!isJson(type)) return Promise.reject(notJson(type))
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue()
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let length = 0
    request.on('data', (chunk: Uint8Array) => {
      length += chunk.length
      if (length <= limit) {
        chunks.push(chunk)
        return
      }
      // What still comes is thrown away until the connection is closed.
      request.removeAllListeners('data')
      request.resume()
      reject(bodyTooLarge(limit))
    })
    request.on('end', () => resolve(Buffer.concat(chunks, length)))
    request.on('error', (cause) => reject(cutOff(cause)))
  })
}

export const bodyTooLarge = (limit: number) =>
  new Fault('invalid_input', `The body is larger than ${limit} bytes. Send less at a time.`, { status: 413 })

const cutOff = (cause: unknown) =>
  new Fault('invalid_input', 'The connection ended before the body was complete. Send it again.', { cause })

const notJson = (type: string) => {
  const problem =
    type === '' ? 'The body has no Content-Type' : 'The body has a Content-Type that is not read here'
  const message = `${problem}. Send JSON in UTF-8, with Content-Type: application/json.`
  return new Fault('invalid_input', message, { status: 415 })
}
