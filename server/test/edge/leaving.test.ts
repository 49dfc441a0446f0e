import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { edgeUnderTest } from './edge-under-test.ts'
import { assertErrorAnswer } from './error-answers.ts'
import { rawClient } from './raw-client.ts'

const LONG = 60_000
const LEAVE_MS = 300
const GET = 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n'
const POST =
  'POST /x HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'

/** An edge whose announcement lasts until `endAnnouncement`; `waits` are the durations that it asked for. */
async function leavingEdge(leaveMs = LEAVE_MS) {
  const started = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const waits: number[] = []
  const wait = (ms: number) => {
    waits.push(ms)
    return over.promise
  }
  const app = await edgeUnderTest(
    (edge) => {
      for (const method of ['GET', 'POST'] as const)
        edge.serve({ method, path: '/x', auth: 'none' }, () => ({ body: {} }))
      edge.serve({ method: 'GET', path: '/endless', auth: 'none' }, () => {
        started.resolve()
        return new Promise(() => {})
      })
    },
    { leaveMs, wait },
  )
  return {
    ...app,
    waits,
    endlessStarted: started.promise,
    endAnnouncement: over.resolve,
    async [Symbol.asyncDispose]() {
      over.resolve()
      await app.edge.close(0)
    },
  }
}

suite('an instance that announces its stop', () => {
  test('503: refuses GET requests, which a proxy may retry elsewhere, also on new connections, until it stops listening', async () => {
    await using app = await leavingEdge()
    const stopped = app.edge.close(LONG)
    await using client = await rawClient(app.port)
    client.send(GET)
    const refused = await client.next()
    assertErrorAnswer(refused, 503)
    assert.equal(refused.headers['connection'], 'close')
    await client.untilClosed()
    assert.deepEqual(app.waits, [LEAVE_MS])
    app.endAnnouncement()
    await stopped
    await assert.rejects(rawClient(app.port), { code: 'ECONNREFUSED' })
  })

  test('200: serves POST requests, which must not be retried, and closes their connections', async () => {
    await using app = await leavingEdge()
    await using kept = await rawClient(app.port)
    kept.send(POST)
    assert.equal((await kept.next()).status, 200)
    const stopped = app.edge.close(LONG)
    await using fresh = await rawClient(app.port)
    for (const client of [kept, fresh]) {
      client.send(POST)
      const served = await client.next()
      assert.deepEqual([served.status, served.headers['connection']], [200, 'close'])
      await client.untilClosed()
    }
    app.endAnnouncement()
    await stopped
  })

  test('stops at once without a grace period', async () => {
    await using app = await leavingEdge()
    const stopped = app.edge.close(0)
    assert.deepEqual(app.waits, [])
    await stopped
    await assert.rejects(rawClient(app.port), { code: 'ECONNREFUSED' })
  })

  test('takes no longer than the grace period, announcement included', async () => {
    await using app = await leavingEdge(LONG)
    await using client = await rawClient(app.port)
    client.send(GET.replace('/x', '/endless'))
    await app.endlessStarted
    const stopped = app.edge.close(LONG)
    assert.deepEqual(app.waits, [LONG])
    // The announcement took the whole grace period: the hanging request is cut off without an answer.
    app.endAnnouncement()
    assert.deepEqual(await client.untilClosed(), [])
    await stopped
  })
})
