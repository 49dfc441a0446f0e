import type { Socket } from 'node:net'

const LINGER_MS = 500

/**
 * Makes an early answer arrive. Closing a connection while its client is still sending makes the kernel reset it, and
 * the reset may overtake the answer. So our side is closed first, what still comes is thrown away, and the connection
 * ends when the client has finished or after half a second, whichever is first.
 */
export function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const cut = setTimeout(() => socket.destroy(), LINGER_MS)
    cut.unref()
    socket.once('close', () => clearTimeout(cut))
  }
}
