import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { sendRaw } from './raw-request.ts'

test('a connection that is cut inside the body of the answer rejects the request', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'))
  }).listen(0, '127.0.0.1')
  await using _ = { [Symbol.asyncDispose]: async () => void server.close() }
  await once(server, 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  await assert.rejects(sendRaw(`http://127.0.0.1:${address.port}`, 'GET /'), { code: 'ECONNRESET' })
})
