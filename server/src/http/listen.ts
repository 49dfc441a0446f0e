import { once } from 'node:events'
import type { Server } from 'node:http'

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
    throw new Error(whatToDo(cause, at), { cause })
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

function whatToDo(cause: unknown, { host, port }: ListenAt): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return `Cannot listen on ${host}, port ${port}. ${REMEDIES[code] ?? 'Check HOST and PORT.'}`
}
