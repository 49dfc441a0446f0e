import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'

/** An HTTP server on a port of its own. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  return { url: `http://127.0.0.1:${address.port}`, [Symbol.asyncDispose]: async () => void server.close() }
}
