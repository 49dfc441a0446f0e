import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Exchange } from './exchange.ts'
import type { InFlight } from './in-flight.ts'

/**
 * Stops accepting connections, lets exchanges in flight finish for at most `graceMs`, then closes all connections. The
 * last answer on each connection has `Connection: close`.
 */
export async function drain(server: Server, inFlight: InFlight, graceMs: number): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  // The HTTP server's own `close` destroys keep-alive connections at once, and with them requests that are just
  // arriving. With the net server's `close` they stay open, and get an answer, until nothing is in flight.
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
  // Ends Node's timer that checks for slow connections, which would keep the server in memory.
  server.close()
}

/** Whether no later request has arrived on the same connection. */
const isLastOfConnection = (exchange: Exchange) => exchange.request.socket.latestExchange === exchange
