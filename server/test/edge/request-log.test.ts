import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { jsonLogger } from '#adapters/system/logs/json-logger.ts'
import { Fault } from '../../src/fault.ts'
import type { EdgeUnderTest } from './edge-under-test.ts'
import { edgeUnderTest } from './edge-under-test.ts'
import { rawClient, sendRaw } from './raw-client.ts'

const KEY = `stk_${'Ab3'.repeat(16).slice(0, 46)}`
const JWT = `eyJ${'a'.repeat(30)}.${'b'.repeat(60)}.${'c'.repeat(43)}`
const TOKEN = 'deadbeef'.repeat(8)
const FORGERY = 'x\r\n{"event":"request","status":200}\n\u001b[2K\u202e\u2028\u0001'

/** The log as the real logger writes it, one string per line. */
function written({ lines }: EdgeUnderTest): readonly string[] {
  const texts: string[] = []
  const logger = jsonLogger({ level: 'debug', output: { write: (line) => void texts.push(line) } })
  for (const { level, event, fields, error } of lines) {
    if (level === 'error') logger.error(event, error, fields)
    else logger[level](event, fields)
  }
  return texts
}

const ask = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`

suite('the request log', () => {
  test('each request is one log line, with the path template of its route', async () => {
    await using app = await edgeUnderTest((edge) =>
      edge.serve({ method: 'GET', path: '/things/{id}', auth: 'none' }, (inbound) => {
        inbound.note({ agentId: 'agent-1' })
        inbound.note({ remaining: 9 })
        return { body: { a: 1 } }
      }),
    )
    const [response] = await sendRaw(app.port, ask('/things/7?x=1'))
    assert.equal(app.lines.length, 1)
    const { event, fields } = app.lines[0] ?? {}
    assert.equal(event, 'request')
    assert.equal(typeof fields?.['latencyMs'], 'number')
    assert.deepEqual(
      { ...fields, latencyMs: 0 },
      {
        requestId: response?.headers['x-request-id'],
        route: '/things/{id}',
        method: 'GET',
        status: 200,
        latencyMs: 0,
        bytes: 7,
        agentId: 'agent-1',
        remaining: 9,
      },
    )
    assert.deepEqual(
      app.metered.map(({ route, method, status }) => [route, method, status]),
      [['/things/{id}', 'GET', 200]],
    )
  })

  test('requests without a route are logged and metered under one name, whatever their path', async () => {
    await using app = await edgeUnderTest((edge) =>
      edge.serve({ method: 'GET', path: '/thing', auth: 'none' }, () => ({ body: {} })),
    )
    for (const bytes of [
      ask('/a'),
      ask('/b'),
      ask('/c/%zz'),
      'noise\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\n\r\n',
    ]) {
      await sendRaw(app.port, bytes)
    }
    assert.deepEqual(
      app.lines.map(({ fields }) => [fields['route'], fields['status']]),
      [404, 404, 400, 400, 405].map((status) => ['(none)', status]),
    )
    assert.equal(app.metered.length, 5)
  })

  test('a request whose client leaves before the answer is logged with status 499', async () => {
    await using app = await edgeUnderTest((edge) =>
      edge.serve({ method: 'GET', path: '/thing', auth: 'none' }, () => new Promise(() => {})),
    )
    await using client = await rawClient(app.port)
    const line = app.nextLine()
    client.send(ask('/thing'))
    client.socket.resetAndDestroy()
    const { fields } = await line
    assert.deepEqual([fields['status'], fields['delivered']], [499, false])
  })

  test('all requests in flight end when their client leaves', async () => {
    const arrived = Promise.withResolvers<void>()
    let count = 0
    await using app = await edgeUnderTest((edge) =>
      edge.serve({ method: 'GET', path: '/thing', auth: 'none' }, () => {
        count++
        if (count === 3) arrived.resolve()
        return new Promise(() => {})
      }),
    )
    const client = await rawClient(app.port)
    client.send('GET /thing HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3))
    await arrived.promise
    const gone = app.nextLine()
    client.socket.resetAndDestroy()
    await gone
    // Nothing is in flight any more, so the stop does not wait.
    await app.edge.close(60_000)
    assert.deepEqual(
      app.lines.map(({ fields }) => fields['status']),
      [499, 499, 499],
    )
  })

  test('no secret and no forged line reaches the log, from any part of a request', async () => {
    await using app = await edgeUnderTest((edge) => {
      edge.serve({ method: 'GET', path: '/things/{id}', auth: 'none' }, (inbound) => {
        inbound.note({ who: `${inbound.header('x-api-key')} ${FORGERY}` })
        throw Object.assign(new Error(`cannot use ${inbound.params['id']} ${JWT}${FORGERY}`), {
          headers: { authorization: inbound.header('authorization') },
          code: FORGERY,
          name: `Bad${FORGERY}`,
        })
      })
      edge.serve({ method: 'POST', path: '/things', auth: 'none' }, (inbound) => {
        const cause = new Error(`upstream said ${JSON.stringify(inbound.body())}`, { cause: KEY })
        throw new Fault('rpc_unavailable', 'The chain cannot be reached right now.', { cause })
      })
    })
    const credentials = `X-API-Key: ${KEY}\r\nAuthorization: Bearer ${JWT}\r\nX-Request-Id: ${TOKEN}\r\n`
    await sendRaw(app.port, ask(`/things/${TOKEN}?token=${TOKEN}`, credentials))
    await sendRaw(app.port, ask(`/nowhere/${KEY}?token=${TOKEN}`, credentials))
    await sendRaw(app.port, ask(`/things/${encodeURIComponent(FORGERY)}`))
    await sendRaw(app.port, `${KEY} ${JWT}\r\n\r\n`)
    const body = JSON.stringify({ apiKey: KEY, jwt: JWT, token: TOKEN, text: FORGERY })
    const post = `POST /things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n`
    await sendRaw(app.port, `${post}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

    const lines = written(app)
    assert.equal(lines.length, 5 + 3, 'a line for each request and each failure')
    for (const line of lines) {
      for (const secret of [KEY, JWT, TOKEN]) assert.ok(!line.includes(secret), line)
    }
    for (const line of lines) {
      assert.equal(line.indexOf('\n'), line.length - 1, 'one line break, at the end')
      for (const [name, text] of Object.entries(JSON.parse(line))) {
        const lines = name === 'errorStack' ? String(text).replaceAll('\n', '') : String(text)
        assert.doesNotMatch(lines, /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u)
      }
    }
  })
})
