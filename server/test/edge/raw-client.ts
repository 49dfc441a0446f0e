import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

export type RawResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The name of each header line, as often as it came. */
  readonly names: readonly string[]
  readonly body: string
}

export type RawClient = AsyncDisposable & {
  readonly socket: Socket
  send(bytes: string | Uint8Array): void
  /** Resolves with the next whole response. */
  next(): Promise<RawResponse>
  /** Resolves when the server has closed the connection, with all responses that `next` has not returned. */
  untilClosed(): Promise<readonly RawResponse[]>
}

type Options = { readonly hasBodies?: boolean; readonly reads?: boolean; readonly from?: string }

/**
 * A client that sends arbitrary bytes and parses the responses. `hasBodies: false` is for HEAD, whose answers have a
 * length but no body; `reads: false` leaves the socket paused.
 */
export async function rawClient(port: number, options: Options = {}): Promise<RawClient> {
  const { hasBodies = true, reads = true, from = '127.0.0.1' } = options
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  if (!reads) socket.pause()
  await once(socket, 'connect')
  let received = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const listeners = new Set<() => void>()
  // Some tests expect the server to close the connection while the client is still sending.
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    for (const listener of listeners) listener()
  })

  const take = (): RawResponse | undefined => {
    const parsed = parseResponse(received, hasBodies)
    if (parsed === undefined) return undefined
    received = received.slice(parsed.length)
    // 100 Continue is an interim response: skip it.
    return parsed.response.status === 100 ? take() : parsed.response
  }

  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    next: () =>
      new Promise((resolve, reject) => {
        const attempt = () => {
          const response = take()
          if (response === undefined) return
          listeners.delete(attempt)
          resolve(response)
        }
        listeners.add(attempt)
        void closed.then(() => reject(new Error(`closed after ${JSON.stringify(received)}`)))
        attempt()
      }),
    untilClosed: async () => {
      await closed
      const responses: RawResponse[] = []
      for (let response = take(); response !== undefined; response = take()) responses.push(response)
      return responses
    },
    [Symbol.asyncDispose]: async () => {
      socket.destroy()
      await closed
    },
  }
}

/** Sends the bytes, and waits until the server has answered and closed. */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  from = '127.0.0.1',
): Promise<readonly RawResponse[]> {
  await using client = await rawClient(port, { from, hasBodies: !String(bytes).startsWith('HEAD ') })
  client.send(bytes)
  return await client.untilClosed()
}

function parseResponse(
  text: string,
  hasBody: boolean,
): { response: RawResponse; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const names = pairs.map(([name]) => name)
  const headers = Object.fromEntries(pairs)
  const length = headEnd + 4 + (hasBody ? Number(headers['content-length'] ?? 0) : 0)
  if (text.length < length) return undefined
  const body = Buffer.from(text.slice(headEnd + 4, length), 'latin1').toString()
  return { response: { status: Number(statusLine.split(' ')[1]), headers, names, body }, length }
}
