import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Fault } from '../../fault.ts'
import { clientAddress } from './parse/client-address.ts'
import type { RefuseRaw } from './raw-refusal.ts'

type Limits = {
  readonly maxConnections: number
  /** Undefined: no limit per address, as behind a proxy. */
  readonly connectionsPerAddress?: number | undefined
}

/** Connections that are accepted while those that made room for them are still closing. */
const SPARE = 100

/**
 * Few addresses must not take all connections. Those above the limit of their address are refused and closed at once.
 * When all connections are taken, a new one takes the place of one of the address that has most of them.
 */
export function limitConnections(server: Server, limits: Limits, refuse: RefuseRaw): void {
  const { maxConnections, connectionsPerAddress = Number.POSITIVE_INFINITY } = limits
  /** By address, the oldest first. */
  const open = new Map<string, Set<Socket>>()
  let total = 0
  server.maxConnections = maxConnections + SPARE

  server.on('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, [], 0)
    const own = open.get(address) ?? new Set()
    open.set(address, own.add(socket))
    total += 1
    socket.once('close', () => remove(address, own, socket))
    if (own.size > connectionsPerAddress) refuse(socket, tooManyConnections(), 'too many connections')
    else if (total > maxConnections) makeRoom(address, own, socket)
  })

  function remove(address: string, own: Set<Socket>, socket: Socket): void {
    if (!own.delete(socket)) return
    total -= 1
    if (own.size === 0) open.delete(address)
  }

  function makeRoom(address: string, own: Set<Socket>, socket: Socket): void {
    let most = { address, sockets: own }
    for (const [other, sockets] of open)
      if (sockets.size > most.sockets.size) most = { address: other, sockets }
    const leaving = most.sockets === own ? socket : (firstUnserved(most.sockets) ?? socket)
    leaving.destroy()
    remove(leaving === socket ? address : most.address, leaving === socket ? own : most.sockets, leaving)
  }
}

/** The oldest connection on which no request is being answered: idle, or still without a whole head. */
function firstUnserved(sockets: Iterable<Socket>): Socket | undefined {
  for (const socket of sockets) if (socket.latestExchange?.finished !== false) return socket
  return undefined
}

const tooManyConnections = () =>
  new Fault('rate_limited', 'Too many connections from this address. Send requests over the open ones.', {
    retryAfterSeconds: 1,
  })
