import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Fault } from '../../fault.ts'
import { clientAddress } from './parse/client-address.ts'
import type { RefuseRaw } from './raw-refusal.ts'

/** One address must not take all connections: those above its share are refused and closed at once. */
export function limitConnections(server: Server, perAddress: number, refuse: RefuseRaw): void {
  const open = new Map<string, number>()

  server.on('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, [], 0)
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (count > perAddress) refuse(socket, tooManyConnections(), 'too many connections')
  })
}

const tooManyConnections = () =>
  new Fault('rate_limited', 'Too many connections from this address. Send requests over the open ones.', {
    retryAfterSeconds: 1,
  })
