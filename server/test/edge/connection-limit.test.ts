import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edgeUnderTest } from './edge-under-test.ts'
import { heldHandler } from './held-handler.ts'
import { rawClient, sendRaw } from './raw-client.ts'

const HELLO = 'GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('429: connections above the limit per address are refused, and those of other addresses are not', async () => {
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
  // All addresses of 127.0.0.0/8 are this machine.
  const [other] = await sendRaw(
    under.port,
    HELLO.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    '127.0.0.2',
  )
  assert.equal(other?.status, 200)
  first.send(HELLO)
  assert.equal((await first.next()).status, 200)
})

test('200: an address with few connections is served when two others have taken all connections', async () => {
  await using under = await edgeUnderTest(
    (edge) => edge.serve({ method: 'GET', path: '/hello', auth: 'none' }, () => ({ body: { ok: true } })),
    { maxConnections: 8, connectionsPerAddress: 4 },
  )
  await using opened = new AsyncDisposableStack()
  const greedy = ['127.0.0.2', '127.0.0.3'].flatMap((from) => [from, from, from, from])
  for (const from of greedy) {
    // The head is never complete: its last byte is missing.
    opened.use(await rawClient(under.port, { from })).send(HELLO.slice(0, -1))
  }
  for (let visits = 0; visits < 20; visits += 1) {
    const visitor = opened.use(await rawClient(under.port, { from: `127.0.1.${visits}` }))
    visitor.send(HELLO)
    assert.equal((await visitor.next()).status, 200, `visitor ${visits}`)
    await visitor[Symbol.asyncDispose]()
    opened.use(await rawClient(under.port, { from: greedy[visits % 8] ?? '' })).send(HELLO.slice(0, -1))
  }
})

const UPLOAD =
  'POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'

/** By title: the bytes that each connection of an address sends; together they take all eight connections. */
const TAKEN: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'bodies that never end': {
    '127.0.0.2': [UPLOAD, UPLOAD, UPLOAD, UPLOAD],
    '127.0.0.3': [UPLOAD, UPLOAD, UPLOAD, UPLOAD],
  },
  'bodies that never end, and silent connections of others': {
    '127.0.0.2': [UPLOAD, UPLOAD, UPLOAD],
    '127.0.0.3': ['', ''],
    '127.0.0.4': ['', ''],
    '127.0.0.5': [''],
  },
  'one connection of each address': Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `127.0.0.${index + 2}`,
      [index % 2 === 0 ? UPLOAD : HELLO.slice(0, -1)],
    ]),
  ),
  'answers that are never read': Object.fromEntries(
    ['127.0.0.2', '127.0.0.3'].map((from) => [from, Array(4).fill(HELLO.replace('/hello', '/large'))]),
  ),
  'answers that are never read, each with another request behind it': Object.fromEntries(
    ['127.0.0.2', '127.0.0.3'].map((from) => [
      from,
      Array(4).fill(HELLO.replace('/hello', '/large') + HELLO),
    ]),
  ),
}

for (const [what, addresses] of Object.entries(TAKEN))
  test(`200: a newcomer is served when all connections are taken by ${what}`, async () => {
    const large = Buffer.alloc(64 * 1_024 * 1_024)
    await using under = await edgeUnderTest(
      (edge) => {
        edge.serve({ method: 'GET', path: '/hello', auth: 'none' }, () => ({ body: { ok: true } }))
        edge.serve({ method: 'POST', path: '/hello', auth: 'none' }, () => ({ body: { ok: true } }))
        edge.serve({ method: 'GET', path: '/large', auth: 'none' }, () => ({ body: large }))
      },
      { maxConnections: 8, connectionsPerAddress: 4 },
    )
    await using opened = new AsyncDisposableStack()
    const take = async (from: string, bytes: string) => {
      const client = opened.use(await rawClient(under.port, { from, reads: false }))
      if (bytes !== '') client.send(bytes)
    }
    const taken = Object.entries(addresses).flatMap(([from, all]) =>
      all.map((bytes): readonly [string, string] => [from, bytes]),
    )
    for (const [from, bytes] of taken) await take(from, bytes)
    for (let visits = 0; visits < 20; visits += 1) {
      const visitor = opened.use(await rawClient(under.port, { from: `127.0.1.${visits}` }))
      visitor.send(HELLO)
      assert.equal((await visitor.next()).status, 200, `visitor ${visits}`)
      await visitor[Symbol.asyncDispose]()
      // The connection that became free is taken again at once.
      const [from, bytes] = taken[visits % 8] ?? ['', '']
      await take(from, bytes)
    }
  })

test('200: a request that is being answered is not cut off when unfinished connections of its address make room', async () => {
  const held = heldHandler()
  await using under = await edgeUnderTest(
    (edge) => {
      edge.serve({ method: 'GET', path: '/held', auth: 'none' }, held.handler)
      edge.serve({ method: 'GET', path: '/hello', auth: 'none' }, () => ({ body: { ok: true } }))
      edge.serve({ method: 'POST', path: '/hello', auth: 'none' }, () => ({ body: { ok: true } }))
    },
    { maxConnections: 3 },
  )
  await using opened = new AsyncDisposableStack()
  const answered = opened.use(await rawClient(under.port, { from: '127.0.0.2' }))
  // The second request of this connection stays unfinished while the first is being answered.
  answered.send(HELLO.replace('/hello', '/held') + UPLOAD)
  await held.started
  const unfinished = []
  for (const bytes of [UPLOAD, HELLO.slice(0, -1)]) {
    const client = opened.use(await rawClient(under.port, { from: '127.0.0.2' }))
    client.send(bytes)
    unfinished.push(client)
  }
  for (const from of ['127.0.0.3', '127.0.0.4']) {
    const visitor = opened.use(await rawClient(under.port, { from }))
    visitor.send(HELLO)
    assert.equal((await visitor.next()).status, 200)
  }
  for (const client of unfinished) assert.deepEqual(await client.untilClosed(), [])
  held.release()
  assert.equal((await answered.next()).status, 200)
})

test('200: when all connections have requests in flight, a new connection is closed instead of one of them', async () => {
  const held = { '/one': heldHandler(), '/two': heldHandler() }
  await using under = await edgeUnderTest(
    (edge) => {
      for (const [path, { handler }] of Object.entries(held))
        edge.serve({ method: 'GET', path, auth: 'none' }, handler)
    },
    { maxConnections: 2 },
  )
  await using opened = new AsyncDisposableStack()
  const served = []
  for (const [path, { started }] of Object.entries(held)) {
    const client = opened.use(await rawClient(under.port))
    client.send(HELLO.replace('/hello', path))
    await started
    served.push(client)
  }
  assert.deepEqual(await sendRaw(under.port, HELLO, '127.0.0.2'), [])
  for (const { release } of Object.values(held)) release()
  for (const client of served) assert.equal((await client.next()).status, 200)
})
