import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { putLoad } from './load.ts'

const LOAD = { request: 'GET / HTTP/1.1\r\nhost: test\r\n\r\n', connections: 2, expectStatus: 200 }

/** A server that closes every connection after one answer with these header lines. */
async function closingServer(
  lines: string,
): Promise<AsyncDisposable & { readonly ports: readonly number[] }> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${lines}\r\nok`))
    socket.on('error', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  return { ports: [address.port], [Symbol.asyncDispose]: async () => void server.close() }
}

test('a server that announces the close of each connection is loaded until the end of the run', async () => {
  await using server = await closingServer('Connection: close\r\n')
  const durationMs = 300
  const { answers, seconds } = await putLoad({ ...LOAD, ports: server.ports, durationMs })
  assert(seconds * 1_000 >= durationMs, `${answers} answers in ${seconds} s`)
})

test('a connection that the server closes without announcing it fails the load', async () => {
  await using server = await closingServer('')
  await assert.rejects(putLoad({ ...LOAD, ports: server.ports, durationMs: 60_000 }))
})

test('an answer with another status fails the load and is quoted', async () => {
  await using server = await closingServer('')
  const load = { ...LOAD, ports: server.ports, durationMs: 60_000, expectStatus: 304 }
  await assert.rejects(putLoad(load), /expected 304: HTTP\/1\.1 200 OK/)
})
