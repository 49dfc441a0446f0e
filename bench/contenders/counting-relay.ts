import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP relay between a service and its store that counts round trips. */
export type CountingRelay = AsyncDisposable & {
  /** The address of the store through the relay. */
  readonly url: string
  /** Round trips so far: one for each change from receiving to sending on a connection. */
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
