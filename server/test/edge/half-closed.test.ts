import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { edgeUnderTest } from './edge-under-test.ts'
import { heldHandler } from './held-handler.ts'
import { rawClient } from './raw-client.ts'

const GET = 'GET /thing HTTP/1.1\r\nHost: localhost\r\n\r\n'
const ROUTE = { method: 'GET', path: '/thing', auth: 'none' } as const

suite('a client that half-closes its connection', () => {
  test('gets the answers to all requests it has sent, and then the end', async () => {
    await using app = await edgeUnderTest((edge) => edge.serve(ROUTE, () => ({ body: { ok: true } })))
    for (const requests of [1, 3]) {
      await using client = await rawClient(app.port)
      client.send(GET.repeat(requests))
      client.socket.end()
      const answers = await client.untilClosed()
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(requests).fill(200),
      )
    }
  })

  test('gets the answer of a slow handler', async () => {
    const slow = heldHandler()
    await using app = await edgeUnderTest((edge) => edge.serve(ROUTE, slow.handler))
    await using client = await rawClient(app.port)
    client.send(GET)
    client.socket.end()
    await slow.started
    slow.release()
    assert.deepEqual(
      (await client.untilClosed()).map(({ status }) => status),
      [200],
    )
  })

  test('gets a 400 for half a request', async () => {
    await using app = await edgeUnderTest((edge) => edge.serve(ROUTE, () => ({ body: {} })))
    await using client = await rawClient(app.port)
    client.send('GET /thing HTTP/1.1\r\nHost: loc')
    client.socket.end()
    assert.deepEqual(
      (await client.untilClosed()).map(({ status }) => status),
      [400],
    )
  })
})

test('the answer to an Upgrade request closes the connection, because Node drops pipelined requests behind it', async () => {
  await using app = await edgeUnderTest((edge) => edge.serve(ROUTE, () => ({ body: {} })))
  await using client = await rawClient(app.port)
  client.send(`GET /thing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n${GET}`)
  const answers = await client.untilClosed()
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['connection']]),
    [[200, 'close']],
  )
})
