import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpResponse } from '../../src/http/wire/response.ts'
import { edgeUnderTest } from './edge-under-test.ts'
import { rawClient } from './raw-client.ts'

const SHARED = { isShared: true, cache: { etag: '"e"', maxAgeSeconds: 5 } } as const

const RESPONSES: Readonly<Record<string, readonly [response: HttpResponse, length: string | undefined]>> = {
  'short text': [{ body: '{"ready":true}' }, '14'],
  'text beyond ASCII': [{ body: { ä: '€' } }, '12'],
  'long text': [{ body: 'x'.repeat(100_000) }, '100000'],
  bytes: [{ body: Buffer.from('{"ready":true}') }, '14'],
  'shared response': [{ body: '{"ready":true}', ...SHARED }, '14'],
  '304': [{ status: 304, ...SHARED }, undefined],
}
const EXPECTED_HEADERS = [
  ...['x-request-id', 'date', 'connection', 'keep-alive'],
  ...['cache-control', 'x-content-type-options', 'referrer-policy', 'content-security-policy'],
]

for (const [name, [response, length]] of Object.entries(RESPONSES)) {
  test(`${name}: no header is repeated, Content-Length is right, and the connection serves another request`, async () => {
    await using app = await edgeUnderTest((edge) =>
      edge.serve({ method: 'GET', path: '/thing', auth: 'agent-key' }, () => response),
    )
    // Node ends the connection of an HTTP/1.0 client after a response without a length.
    for (const method of ['GET', 'HEAD'])
      for (const version of length === undefined ? ['1.1'] : ['1.1', '1.0']) {
        await using client = await rawClient(app.port, { hasBodies: method === 'GET' })
        for (let round = 1; round <= 2; round += 1) {
          client.send(`${method} /thing HTTP/${version}\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n`)
          const { headers, names } = await client.next()
          const about = `${method}, HTTP/${version}, request ${round}: ${names}`
          assert.equal(new Set(names).size, names.length, about)
          for (const header of EXPECTED_HEADERS) assert(names.includes(header), `${about} lacks ${header}`)
          assert.equal(headers['content-length'], length, about)
          assert.equal(headers['transfer-encoding'], undefined, about)
        }
      }
  })
}

test('an empty answer has Content-Length: 0 for GET and no Content-Length for HEAD', async () => {
  await using app = await edgeUnderTest((edge) =>
    edge.serve({ method: 'GET', path: '/thing', auth: 'agent-key' }, () => ({})),
  )
  for (const [method, length] of [
    ['GET', '0'],
    ['HEAD', undefined],
  ]) {
    await using client = await rawClient(app.port)
    client.send(`${method} /thing HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    assert.equal((await client.next()).headers['content-length'], length)
  }
})
