import type { Server } from 'node:http'
import { createServer } from './node-http.ts'

const HEAD_MS = 5_000
const CHECK_EVERY_MS = 500
const HEAD_BYTES = 16_384

type Settings = {
  readonly requestMs: number
  readonly keepAliveMs: number
  readonly maxConnections: number
}

/**
 * Node's HTTP server with its limits set. It ends connections that send their head or body too slowly; by default it
 * would look for them every 30 s only. Everything else that takes too long is the deadline's.
 */
export function nodeServer({ requestMs, keepAliveMs, maxConnections }: Settings): Server {
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: Math.min(HEAD_MS, requestMs),
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, Math.ceil(requestMs / 20)),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: HEAD_BYTES,
    // A missing Host is refused in our words.
    requireHostHeader: false,
    // Requests that announce no body skip the life of a stream that stays empty.
    optimizeEmptyRequests: true,
  })
  server.maxConnections = maxConnections
  return server
}
