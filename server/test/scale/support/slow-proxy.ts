import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export type SlowProxy = AsyncDisposable & {
  /** The server's URL with the port of the proxy. */
  readonly url: string
  /** Delays everything that the server sends from now on. */
  delay(ms: number): void
  /**
   * Drops the next answer of the server that contains `text`, and closes its connection. `after`: only on a connection
   * on which the client sends this text from now on.
   */
  lose(text: string, after?: string): void
  /** Closes all connections, and refuses new ones until `mend`. */
  cut(): void
  mend(): void
  /** Connects new connections to another server; open ones stay. */
  leadTo(otherUrl: string): void
}

/** A TCP proxy between a service and a server that can delay, drop and cut connections. */
export async function openSlowProxy(serverUrl: string): Promise<SlowProxy> {
  let { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let delayMs = 0
  let lost: { readonly text: string; readonly after: string; readonly sentOn: Set<Socket> } | undefined
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const proxy = createServer((client) => {
    keep(client)
    if (isCut) {
      client.destroy()
      return
    }
    const server = keep(connect(Number(port), hostname))
    client.pipe(server)
    const [isSent, isAnswered] = [openSearch(), openSearch()]
    client.on('data', (data) => {
      if (isSent(data, lost?.after)) lost?.sentOn.add(client)
    })
    client.on('close', () => server.destroy())
    // In order, so that no data overtake delayed ones.
    let last = Promise.resolve()
    const pass = (act: () => void) => {
      const due = wait(delayMs)
      last = Promise.all([last, due]).then(act)
    }
    server.on('data', (data) => {
      const isFound = isAnswered(data, lost?.text)
      if (!isFound || !lost?.sentOn.has(client)) return pass(() => client.write(data))
      lost = undefined
      client.destroy()
    })
    server.on('close', () => pass(() => client.destroy()))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen')
  return {
    url: Object.assign(new URL(serverUrl), { port: String(address.port) }).href,
    delay(ms) {
      delayMs = ms
    },
    lose(text, after = '') {
      lost = { text, after, sentOn: new Set() }
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
    leadTo(otherUrl) {
      ;({ hostname, port } = new URL(otherUrl))
    },
    async [Symbol.asyncDispose]() {
      const closed = once(proxy, 'close')
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const LONGEST_TEXT = 1_000

/** Searches a stream chunk by chunk, also for a text that two chunks share. */
function openSearch(): (data: string | Buffer, text: string | undefined) => boolean {
  let before = Buffer.alloc(0)
  return (data, text) => {
    const joined = Buffer.concat([before, typeof data === 'string' ? Buffer.from(data) : data])
    const from = Math.max(0, before.length - Buffer.byteLength(text ?? '') + 1)
    before = joined.subarray(-LONGEST_TEXT)
    return text !== undefined && joined.includes(text, from)
  }
}
