import type { Socket } from 'node:net'

const LINGER_MS = 500

/**
 * Lets an early answer arrive. Closing a connection while its client is still sending makes the kernel reset it, and
 * the reset may overtake the answer. So only our side is closed at first, further bytes are discarded, and the
 * connection is destroyed after half a second unless the client has closed it before.
 */
export function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const cut = setTimeout(() => socket.destroy(), LINGER_MS)
    cut.unref()
    socket.once('close', () => clearTimeout(cut))
  }
}
