import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Fault } from '../../src/fault.ts'
import type { Handler } from '../../src/http/wire/router.ts'
import { edgeUnderTest } from './edge-under-test.ts'
import { assertErrorAnswer } from './error-answers.ts'
import { sendRaw } from './raw-client.ts'

const GET = 'GET /thing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

async function answerOf(handler: Handler) {
  await using app = await edgeUnderTest((edge) =>
    edge.serve({ method: 'GET', path: '/thing', auth: 'agent-key' }, handler),
  )
  const [response] = await sendRaw(app.port, GET)
  assert.ok(response)
  return { response, lines: app.lines }
}

suite('answers of handlers', () => {
  test('200: a body is sent as JSON, from synchronous and asynchronous handlers', async () => {
    for (const handler of [() => ({ body: { ä: 1 } }), async () => ({ body: { ä: 1 } })]) {
      const { response } = await answerOf(handler)
      assert.equal(response.status, 200)
      assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
      assert.deepEqual(JSON.parse(response.body), { ä: 1 })
    }
  })

  test('200: a body of bytes is sent unchanged', async () => {
    const { response } = await answerOf(() => ({
      body: Buffer.from('{"ready":true}'),
      headers: { etag: '"e"' },
    }))
    assert.equal(response.body, '{"ready":true}')
    assert.equal(response.headers['etag'], '"e"')
  })

  test('204 and 304 have neither a body nor a Content-Length', async () => {
    for (const status of [204, 304]) {
      const { response } = await answerOf(() => ({ status, headers: { etag: '"e"' } }))
      assert.equal(response.status, status)
      assert.equal(response.headers['content-length'], undefined)
      assert.equal(response.headers['transfer-encoding'], undefined)
    }
  })

  test('a fault becomes the error answer, with its details, Retry-After and headers', async () => {
    const details = [{ field: 'amount', message: 'must be a whole number' }]
    const refused = await answerOf(() => {
      throw new Fault('invalid_input', 'The amount is not a whole number.', { details, fix: 'Round it.' })
    })
    assertErrorAnswer(refused.response, 400)
    assert.deepEqual(JSON.parse(refused.response.body).details, details)

    const limited = await answerOf(async () => {
      throw new Fault('rate_limited', 'The minute is used up; wait.', { retryAfterSeconds: 12.2 })
    })
    assertErrorAnswer(limited.response, 429)
    assert.equal(limited.response.headers['retry-after'], '13')
    assert.equal(JSON.parse(limited.response.body).retryAfterSeconds, 13)

    const unknown = await answerOf(() => {
      throw new Fault('unauthorized', 'Send your key in X-API-Key.', {
        fix: 'Send it.',
        headers: { 'X-RateLimit-Remaining': '0' },
      })
    })
    assertErrorAnswer(unknown.response, 401)
    assert.match(unknown.response.headers['www-authenticate'] ?? '', /^Bearer/)
    assert.equal(unknown.response.headers['x-ratelimit-remaining'], '0')
    for (const { lines } of [refused, limited, unknown])
      assert.equal(lines.length, 1, 'a refusal is not logged as a failure')
  })

  const bugs: Readonly<Record<string, Handler>> = {
    'throws an error': () => {
      throw new TypeError('cannot read password of undefined')
    },
    'rejects with an error': () => Promise.reject(new RangeError('the password is hunter2')),
    'throws a string': () => {
      throw 'a password in a string'
    },
    'throws null': () => {
      throw null
    },
    'returns a body that is no JSON': () => ({ body: { password: 1n } }),
    'returns an invalid header': () => ({ body: {}, headers: { etag: 'a\r\npassword: b' } }),
    'returns an invalid status': () => ({ status: 42, body: 'password' }),
  }
  for (const [name, handler] of Object.entries(bugs)) {
    test(`500: the error of a handler that ${name} is in the log, and nothing of it in the answer`, async () => {
      const { response, lines } = await answerOf(handler)
      assertErrorAnswer(response, 500)
      assert.doesNotMatch(JSON.stringify(response), /password/)
      const { requestId } = JSON.parse(response.body)
      const failure = lines.find(({ level }) => level === 'error')
      assert.equal(failure?.fields['requestId'], requestId)
      assert.ok(failure && 'error' in failure)
    })
  }

  test('503: a fault with a cause is logged with its cause', async () => {
    const { response, lines } = await answerOf(() => {
      const cause = new Error('connect ECONNREFUSED')
      throw new Fault('rpc_unavailable', 'The chain cannot be reached right now.', { cause })
    })
    assertErrorAnswer(response, 503)
    const failure = lines.find(({ level }) => level === 'error')
    assert.ok(failure?.error instanceof Error && failure.error.message === 'connect ECONNREFUSED')
    assert.equal(failure.fields['code'], 'rpc_unavailable')
  })

  test('403: a fault whose cause is another fault is answered with its own status', async () => {
    const { response } = await answerOf(() => {
      throw new Fault('forbidden', 'Your tier may not do this; ask for another.', {
        fix: 'Ask for another.',
        cause: new Fault('timeout', 'x'),
      })
    })
    assertErrorAnswer(response, 403)
  })
})
