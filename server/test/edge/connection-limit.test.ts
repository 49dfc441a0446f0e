import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edgeUnderTest } from './edge-under-test.ts'
import { rawClient, sendRaw } from './raw-client.ts'

const HELLO = 'GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('429: connections above the share of an address are refused, and those of others are not', async () => {
  await using under = await edgeUnderTest(
    (edge) => edge.serve({ method: 'GET', path: '/hello', auth: 'none' }, () => ({ body: { ok: true } })),
    { connectionsPerAddress: 2 },
  )
  await using opened = new AsyncDisposableStack()
  const first = opened.use(await rawClient(under.port))
  const second = opened.use(await rawClient(under.port))
  // Both are counted once they are answered.
  for (const client of [first, second]) {
    client.send(HELLO)
    assert.equal((await client.next()).status, 200)
  }
  const [refused] = await sendRaw(under.port, HELLO)
  assert.equal(refused?.status, 429)
  assert.match(refused?.body ?? '', /"error":"rate_limited"/)
  // All of 127.0.0.0/8 is this machine.
  const [other] = await sendRaw(
    under.port,
    HELLO.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    '127.0.0.2',
  )
  assert.equal(other?.status, 200)
  first.send(HELLO)
  assert.equal((await first.next()).status, 200)
})
