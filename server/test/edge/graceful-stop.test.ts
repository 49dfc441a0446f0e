import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openEdge } from '../../src/http/edge.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { edgeUnderTest, silentMeters } from './edge-under-test.ts'
import { assertErrorAnswer } from './error-answers.ts'
import { heldHandler } from './held-handler.ts'
import { rawClient } from './raw-client.ts'

const LONG = 60_000
const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

async function edgeWithSlowRequest() {
  const slow = heldHandler()
  const app = await edgeUnderTest((edge) => {
    edge.serve({ method: 'GET', path: '/slow', auth: 'none' }, slow.handler)
    edge.serve({ method: 'GET', path: '/quick', auth: 'none' }, () => ({ body: {} }))
  })
  return { slow, app }
}

suite('a graceful stop', () => {
  test('a request in flight is answered, with Connection: close', async () => {
    const { slow, app } = await edgeWithSlowRequest()
    await using client = await rawClient(app.port)
    client.send(ask('/slow'))
    await slow.started
    const stopped = app.edge.close(LONG)
    slow.release()
    const responses = await client.untilClosed()
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers['connection']]),
      [[200, 'close']],
    )
    await stopped
  })

  test('503: a new request on a keep-alive connection is refused, with Connection: close', async () => {
    const { slow, app } = await edgeWithSlowRequest()
    await using busy = await rawClient(app.port)
    await using kept = await rawClient(app.port)
    kept.send(ask('/quick'))
    assert.equal((await kept.next()).status, 200)
    busy.send(ask('/slow'))
    await slow.started
    const stopped = app.edge.close(LONG)
    kept.send(ask('/quick'))
    const responses = await kept.untilClosed()
    assertErrorAnswer(responses[0], 503)
    assert.equal(responses[0]?.headers['connection'], 'close')
    slow.release()
    assert.equal((await busy.next()).status, 200)
    await stopped
  })

  test('no new connection is accepted', async () => {
    const { slow, app } = await edgeWithSlowRequest()
    await using client = await rawClient(app.port)
    client.send(ask('/slow'))
    await slow.started
    const stopped = app.edge.close(LONG)
    await assert.rejects(rawClient(app.port), { code: 'ECONNREFUSED' })
    slow.release()
    await stopped
  })

  test('connections without a request in flight do not delay it: kept, silent, or with half a request', async () => {
    const { app } = await edgeWithSlowRequest()
    await using kept = await rawClient(app.port)
    await using silent = await rawClient(app.port)
    await using half = await rawClient(app.port)
    kept.send(ask('/quick'))
    await kept.next()
    half.send('GET /qui')
    await app.edge.close(LONG)
    for (const client of [kept, silent, half]) assert.deepEqual(await client.untilClosed(), [])
  })

  test('a handler that hangs is cut off at the end of the grace period', async () => {
    const { slow, app } = await edgeWithSlowRequest()
    await using client = await rawClient(app.port)
    client.send(ask('/slow'))
    const signal = (await slow.started).signal()
    await app.edge.close(50)
    assert.deepEqual(await client.untilClosed(), [])
    assert.equal(signal.aborted, true)
  })

  test('many requests in flight all get their answers', async () => {
    const held = Promise.withResolvers<void>()
    let arrived = 0
    const all = Promise.withResolvers<void>()
    const app = await edgeUnderTest((edge) =>
      edge.serve({ method: 'GET', path: '/slow', auth: 'none' }, async () => {
        arrived++
        if (arrived === 50) all.resolve()
        await held.promise
        return { body: 'x'.repeat(100_000) }
      }),
    )
    const clients = await Promise.all(Array.from({ length: 25 }, () => rawClient(app.port)))
    // Two pipelined requests on each connection: both were accepted.
    for (const client of clients) client.send(ask('/slow').repeat(2))
    await all.promise
    const stopped = app.edge.close(LONG)
    held.resolve()
    const answers = (await Promise.all(clients.map((client) => client.untilClosed()))).flat()
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(50).fill(200),
    )
    await stopped
  })

  test('a stop before listening ends at once', async () => {
    const edge = openEdge({ logger: silentLogger, meters: silentMeters })
    await edge.close(LONG)
  })

  test('a second stop has no further effect', async () => {
    const { app } = await edgeWithSlowRequest()
    await Promise.all([app.edge.close(LONG), app.edge.close(0)])
    await app.edge.close(LONG)
  })
})
