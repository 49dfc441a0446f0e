import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a service and its store, and counts how often the one waits for the other. */
export type CountingRelay = AsyncDisposable & {
  /** The same address, through the relay. */
  readonly url: string
  /** Questions so far: bytes that went to the store on a connection on which it had nothing left to answer. */
  roundTrips(): number
}

export async function startRelay(url: string): Promise<CountingRelay> {
  const store = new URL(url)
  const sockets = new Set<Socket>()
  let roundTrips = 0
  const server = createServer((client) => {
    const upstream = connect(Number(store.port), store.hostname)
    let isAsking = false
    client.on('data', () => {
      if (!isAsking) roundTrips += 1
      isAsking = true
    })
    upstream.on('data', () => {
      isAsking = false
    })
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
  }).listen(0, store.hostname)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay listens on no port')
  return {
    url: Object.assign(new URL(url), { port: String(address.port) }).href,
    roundTrips: () => roundTrips,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
