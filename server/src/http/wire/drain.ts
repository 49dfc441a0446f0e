import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Exchange } from './exchange.ts'
import type { InFlight } from './in-flight.ts'

/**
 * Stops accepting connections, lets what is in flight finish for at most `graceMs`, then closes every connection. Each
 * last answer says that its connection ends.
 */
export async function drain(server: Server, inFlight: InFlight, graceMs: number): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  // The HTTP server's own `close` cuts kept connections at once; a request that is just arriving there would be lost
  // without a word. They stay open to be told, until nothing is in flight.
  NetServer.prototype.close.call(server)
  for (const exchange of inFlight.exchanges) {
    if (isLastOfConnection(exchange)) exchange.response.shouldKeepAlive = false
  }
  const over = new AbortController()
  const grace = delay(graceMs, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([inFlight.whenIdle(), grace])
  over.abort()
  server.closeAllConnections()
  await Promise.all([closed, inFlight.whenIdle()])
  // Ends the timer that looks for slow connections: it would keep the server, and all that it serves, in memory.
  server.close()
}

/** Nothing was asked behind it on the same connection. */
const isLastOfConnection = (exchange: Exchange) => exchange.request.socket.latestExchange === exchange
