import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ErrorBody } from '@stakewright/contract/errors'
import { ROUTES, type Route } from '@stakewright/contract/routes'
import type { EdgeOptions } from '../../src/http/edge.ts'
import { edgeUnderTest } from './edge-under-test.ts'
import { assertErrorAnswer } from './error-answers.ts'
import { heldHandler } from './held-handler.ts'
import { rawClient } from './raw-client.ts'

const QUICK = { requestMs: 200, cutMs: 100 }
const GET = 'GET /thing HTTP/1.1\r\nHost: localhost\r\n\r\n'

const thing = (path = '/thing') => ({ method: 'GET', path, auth: 'none' }) as const

/** The cast holds by the contract. */
const toBody = (body: unknown) => body as ErrorBody

/** Sends one byte every 20 ms until the connection is closed. */
function drip(send: (byte: string) => void, socket: NodeJS.EventEmitter): void {
  const timer = setInterval(() => send('x'), 20)
  socket.once('close', () => clearInterval(timer))
}

suite('the deadline', () => {
  test('504: a request whose handler hangs is answered at the deadline, and the signal aborts', async () => {
    const slow = heldHandler()
    await using app = await edgeUnderTest((edge) => edge.serve(thing(), slow.handler), QUICK)
    await using client = await rawClient(app.port)
    client.send(GET)
    const signal = (await slow.started).signal()
    assert.equal(signal.aborted, false)
    const [response] = await client.untilClosed()
    assertErrorAnswer(response, 504)
    assert.equal(signal.aborted, true)
  })

  test('a stop does not wait for a handler that hangs after its deadline', { timeout: 30_000 }, async () => {
    const slow = heldHandler()
    const app = await edgeUnderTest((edge) => edge.serve(thing(), slow.handler), QUICK)
    await using client = await rawClient(app.port)
    client.send(GET)
    assertErrorAnswer((await client.untilClosed())[0], 504)
    await app.edge.close(600_000)
  })

  test('504: only calls that are safe to repeat are `retryable`, because the work may have been done', async () => {
    const routes = [thing(), ROUTES.allocate, ROUTES.rotateKey, ROUTES.buildStake]
    await using app = await edgeUnderTest((edge) => {
      for (const route of routes) edge.serve(route, () => new Promise(() => {}))
    }, QUICK)
    const ask = async ({ method, path }: Route, headers: Record<string, string> = {}) => {
      const url = `http://127.0.0.1:${app.port}${path.replace('{id}', 'x')}`
      const response = await fetch(url, { method, headers })
      return toBody(await response.json())
    }
    const [page, allocated, rotated, built] = await Promise.all(routes.map((route) => ask(route)))
    const named = await ask(ROUTES.buildStake, { 'idempotency-key': 'one' })
    assert.deepEqual(
      [page, allocated, rotated, built, named].map((body) => body?.retryable),
      [true, true, false, false, true],
    )
    assert.match(allocated?.message ?? '', /^This took longer than the limit of 0\.2 s\. Try again/)
    assert.match(
      rotated?.message ?? '',
      /It is not known whether it was done\. GET \/api\/v1\/agents\/\{id\}/,
    )
  })

  test('504: an answer that comes too late is not sent', async () => {
    const slow = heldHandler()
    await using app = await edgeUnderTest((edge) => edge.serve(thing(), slow.handler), QUICK)
    await using client = await rawClient(app.port)
    client.send(GET)
    assertErrorAnswer(await client.next(), 504)
    slow.release()
    assert.deepEqual(await client.untilClosed(), [])
    assert.equal(app.lines.length, 1)
  })

  test('504: a handler that fails when its signal aborts is not logged as a failure', async () => {
    await using app = await edgeUnderTest(
      (edge) =>
        edge.serve(thing(), (inbound) => {
          const { promise, reject } = Promise.withResolvers<never>()
          const signal = inbound.signal()
          signal.addEventListener('abort', () => reject(signal.reason))
          return promise
        }),
      QUICK,
    )
    await using client = await rawClient(app.port)
    client.send(GET)
    assertErrorAnswer((await client.untilClosed())[0], 504)
    assert.deepEqual(
      app.lines.map(({ level }) => level),
      ['info'],
    )
  })

  test('a connection whose client never reads a large answer is closed at the deadline', async () => {
    const large = Buffer.alloc(64 * 1_024 * 1_024)
    await using app = await edgeUnderTest((edge) => edge.serve(thing(), () => ({ body: large })), QUICK)
    await using client = await rawClient(app.port, { reads: false })
    const line = app.nextLine()
    client.send(GET)
    assert.equal((await line).fields['delivered'], false)
  })

  test('the signal aborts when the client resets the connection', async () => {
    const slow = heldHandler()
    await using app = await edgeUnderTest((edge) => edge.serve(thing(), slow.handler))
    const client = await rawClient(app.port)
    client.send(GET)
    const signal = (await slow.started).signal()
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    client.socket.resetAndDestroy()
    await aborted
  })

  test('a signal that a handler gets only after the deadline has already aborted', async () => {
    const slow = heldHandler()
    await using app = await edgeUnderTest((edge) => edge.serve(thing(), slow.handler), QUICK)
    await using client = await rawClient(app.port)
    client.send(GET)
    const inbound = await slow.started
    await client.untilClosed()
    assert.equal(inbound.signal().aborted, true)
  })

  const slowClients: Readonly<Record<string, { begin: string; drips: boolean }>> = {
    'sends nothing': { begin: '', drips: false },
    'stops in the request line': { begin: 'GET /th', drips: false },
    'stops in the headers': { begin: 'GET /thing HTTP/1.1\r\nHost: local', drips: false },
    'drips its headers': { begin: 'GET /thing HTTP/1.1\r\nHost: localhost\r\nX-Drip: ', drips: true },
    'sends no body': {
      begin:
        'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
      drips: false,
    },
    'drips its body': {
      begin:
        'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
      drips: true,
    },
    'sends no chunk': {
      begin:
        'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      drips: false,
    },
    'stops in a chunk': {
      begin:
        'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{',
      drips: false,
    },
  }
  for (const [name, { begin, drips }] of Object.entries(slowClients)) {
    test(`408: a client that ${name} gets the answer, and the connection is closed`, async () => {
      await using app = await edgeUnderTest((edge) => {
        edge.serve({ method: 'POST', path: '/body', auth: 'none' }, (inbound) => ({ body: inbound.body() }))
      }, QUICK)
      await using client = await rawClient(app.port)
      client.send(begin)
      if (drips) drip(client.send, client.socket)
      const responses = await client.untilClosed()
      assert.equal(responses.length, 1)
      assertErrorAnswer(responses[0], 408)
    })
  }

  test('an idle keep-alive connection is closed without an answer', async () => {
    await using app = await edgeUnderTest((edge) => edge.serve(thing(), () => ({ body: {} })), {
      keepAliveMs: 50,
    })
    await using client = await rawClient(app.port)
    client.send(GET)
    assert.equal((await client.next()).status, 200)
    assert.deepEqual(await client.untilClosed(), [])
  })

  test('a request that misses its deadline does not disturb other connections', async () => {
    const slow = heldHandler()
    await using app = await edgeUnderTest((edge) => {
      edge.serve(thing(), slow.handler)
      edge.serve(thing('/other'), () => ({ body: {} }))
    }, QUICK)
    await using hung = await rawClient(app.port)
    await using other = await rawClient(app.port)
    hung.send(GET)
    await slow.started
    other.send(GET.replace('/thing', '/other'))
    assert.equal((await other.next()).status, 200)
    await hung.untilClosed()
    other.send(GET.replace('/thing', '/other'))
    assert.equal((await other.next()).status, 200)
  })
})

/** Blocks the event loop; bytes sent before stay in the socket buffers. */
const blockFor = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

suite('after the event loop was blocked', () => {
  const POST =
    'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n'
  // Longer than every limit, and than the second that Node adds to the keep-alive timeout.
  const STALL_MS = 1_500
  const withGetAndPost = (options: EdgeOptions) =>
    edgeUnderTest((edge) => {
      edge.serve(thing(), () => ({ body: {} }))
      edge.serve({ method: 'POST', path: '/body', auth: 'none' }, (inbound) => ({ body: inbound.body() }))
    }, options)

  /** A client that has sent a whole request and `bytes` behind it; the answer shows that both have been read. */
  async function clientThatSent(port: number, bytes: string) {
    const client = await rawClient(port)
    client.send(`${GET}${bytes}`)
    assert.equal((await client.next()).status, 200)
    return client
  }

  const cases: Readonly<Record<string, { before: string; meanwhile: string }>> = {
    'a body': { before: `${POST}{"a"`, meanwhile: ':1}' },
    'a head': { before: GET.slice(0, 8), meanwhile: GET.slice(8) },
    'a request on a kept connection': { before: '', meanwhile: GET },
  }
  for (const [name, { before, meanwhile }] of Object.entries(cases)) {
    test(`200: ${name} that arrived meanwhile is read before a timeout is applied`, async () => {
      await using app = await withGetAndPost({ ...QUICK, keepAliveMs: 50 })
      await using client = await clientThatSent(app.port, before)
      client.send(meanwhile)
      blockFor(STALL_MS)
      assert.equal((await client.next()).status, 200)
    })
  }

  for (const [name, before] of Object.entries({ body: `${POST}{"a"`, head: GET.slice(0, 8) })) {
    test(`408: a ${name} of which nothing arrived meanwhile is still refused`, async () => {
      await using app = await withGetAndPost(QUICK)
      await using client = await clientThatSent(app.port, before)
      blockFor(STALL_MS)
      const responses = await client.untilClosed()
      assert.equal(responses.length, 1)
      assertErrorAnswer(responses[0], 408)
    })
  }
})
