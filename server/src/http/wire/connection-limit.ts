import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Fault } from '../../fault.ts'
import { type Exchange, isUploading, isWorkedOn } from './exchange.ts'
import { clientAddress } from './parse/client-address.ts'
import type { RefuseRaw } from './raw-refusal.ts'

type Limits = {
  readonly maxConnections: number
  /** Undefined: no limit per address, as behind a proxy. */
  readonly connectionsPerAddress?: number | undefined
}

/** Connections accepted above the limit, while those cut to make room are still closing. */
const SPARE = 100

/** The open connections of one address, the oldest first. */
type Held = { readonly address: string; readonly sockets: Set<Socket> }

/**
 * Prevents a few addresses from taking all connections. A connection above the limit of its address is refused and
 * closed at once. When all connections are taken, a new one replaces a connection without a request being worked on: of
 * the address with the most connections; tie-break: the one that has had that number for the longest time. An address
 * with fewer connections than that of the new one loses none.
 */
export function limitConnections(server: Server, limits: Limits, refuse: RefuseRaw): void {
  const { maxConnections, connectionsPerAddress = Number.POSITIVE_INFINITY } = limits
  const open = new Map<string, Held>()
  /** Addresses, indexed by their number of connections. */
  const byCount: Set<Held>[] = []
  let total = 0
  server.maxConnections = maxConnections + SPARE

  server.on('connection', (socket: Socket) => {
    const own = add(clientAddress(socket.remoteAddress, [], 0), socket)
    socket.once('close', () => remove(own, socket))
    if (own.sockets.size > connectionsPerAddress) refuse(socket, tooManyConnections(), 'too many connections')
    else if (total > maxConnections) makeRoom(own, socket)
  })

  function add(address: string, socket: Socket): Held {
    const held = open.get(address) ?? { address, sockets: new Set() }
    open.set(address, held)
    byCount[held.sockets.size]?.delete(held)
    held.sockets.add(socket)
    enlist(held)
    total += 1
    return held
  }

  function remove(held: Held, socket: Socket): void {
    if (!held.sockets.has(socket)) return
    byCount[held.sockets.size]?.delete(held)
    held.sockets.delete(socket)
    total -= 1
    if (held.sockets.size === 0) open.delete(held.address)
    else enlist(held)
  }

  function enlist(held: Held): void {
    const { size } = held.sockets
    const equals = byCount[size] ?? new Set()
    byCount[size] = equals.add(held)
  }

  function makeRoom(own: Held, socket: Socket): void {
    const found = findWaiting(own)
    if (found === undefined) cut(own, socket)
    else cut(found.held, found.socket)
  }

  function findWaiting(own: Held): { readonly held: Held; readonly socket: Socket } | undefined {
    for (let count = byCount.length - 1; count >= own.sockets.size; count -= 1)
      for (const held of byCount[count] ?? []) {
        const socket = held === own ? undefined : firstToCut(held.sockets)
        if (socket !== undefined) return { held, socket }
      }
    return undefined
  }

  /** Removes the socket from the counts at once, because its `close` event comes later. */
  function cut(held: Held, socket: Socket): void {
    socket.destroy()
    remove(held, socket)
  }
}

/** What a connection that serves no request is waiting for. Connections are cut in this order. */
const WAITS = ['next request', 'head', 'body', 'reader'] as const

/** The first by `WAITS`, tie-break: the oldest; undefined if all sockets have a request being worked on. */
function firstToCut(sockets: Iterable<Socket>): Socket | undefined {
  let found: { readonly socket: Socket; readonly rank: number } | undefined
  for (const socket of sockets) {
    const wait = waitsFor(socket)
    if (wait === undefined) continue
    const rank = WAITS.indexOf(wait)
    if (rank === 0) return socket
    if (found === undefined || rank < found.rank) found = { socket, rank }
  }
  return found?.socket
}

function waitsFor({ latestExchange: latest }: Socket): (typeof WAITS)[number] | undefined {
  if (latest === undefined) return 'head'
  if (latest.finished) return 'next request'
  for (let each: Exchange | undefined = latest; each?.finished === false; each = each.previous)
    if (isWorkedOn(each)) return undefined
  return isUploading(latest) ? 'body' : 'reader'
}

const tooManyConnections = () =>
  new Fault('rate_limited', 'Too many connections from this address. Send requests over the open ones.', {
    retryAfterSeconds: 1,
  })
