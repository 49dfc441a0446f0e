import { once } from 'node:events'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { refusal } from '../../fault.ts'
import { withHeadText } from './head-text.ts'

// An import evaluates every export of node:http, and some load undici, the HTTP client, which a server never uses:
// 60 ms and 15 MB in a process that has nothing else.
const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')

export const { STATUS_CODES } = http

const HEAD_MS = 5_000
const CHECK_EVERY_MS = 500
const HEAD_BYTES = 16_384

type Settings = {
  readonly requestMs: number
  readonly keepAliveMs: number
}

/**
 * Node's HTTP server with its limits set. It ends connections that send their head too slowly, for which Node would
 * check only every 30 s by default. From the end of the head on, deadline.ts limits the time.
 */
export function nodeServer({ requestMs, keepAliveMs }: Settings): Server {
  const server = http.createServer({
    ServerResponse: withHeadText(http.ServerResponse),
    requestTimeout: 0,
    headersTimeout: Math.min(HEAD_MS, requestMs),
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, Math.ceil(requestMs / 20)),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: HEAD_BYTES,
    // head-rules.ts refuses a missing Host, with the usual error body.
    requireHostHeader: false,
    // Skips the stream events of requests without a body.
    optimizeEmptyRequests: true,
  })
  // A client may close its side after the request and still read the response, so our side must not close with it.
  Object.assign(server, { httpAllowHalfOpen: true })
  // With this listener Node does not destroy idle connections itself.
  server.on('timeout', (socket: Socket) =>
    unlessArrived(
      () => socket.bytesRead,
      () => socket.destroy(),
    ),
  )
  return server
}

/**
 * Acts on an expired timer only if `seen` is unchanged after the sockets were read once more: after a stall of the
 * process, timers run before bytes that have arrived are read.
 */
export function unlessArrived(seen: () => unknown, act: () => void): void {
  const before = seen()
  setImmediate(() => {
    if (seen() === before) act()
  })
}

export type ListenAt = {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** Lets several processes listen on the same port; the kernel spreads the connections. */
  readonly reusePort?: boolean
}

export type ListeningAt = { readonly host: string; readonly port: number; readonly url: string }

export async function listenAt(server: Server, at: ListenAt): Promise<ListeningAt> {
  try {
    server.listen({ ...at })
    await once(server, 'listening')
  } catch (cause) {
    throw refusal('invalid_input', `Cannot listen on ${at.host}, port ${at.port}.`, remedyOf(cause), {
      cause,
    })
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { host: address.address, port: address.port, url: `http://${host}:${address.port}` }
}

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is in use. Stop what listens there, or set PORT to another one.',
  EACCES: 'This port needs more rights. Set PORT to 1024 or above.',
  EADDRNOTAVAIL:
    'This machine does not have that address. Set HOST to one it has, such as 127.0.0.1 or 0.0.0.0.',
  ENOTFOUND:
    'The host name is unknown. Set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.',
}

function remedyOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return REMEDIES[code] ?? 'Check HOST and PORT.'
}
