import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { edgeUnderTest } from './edge-under-test.ts'
import { assertErrorAnswer } from './error-answers.ts'
import { heldHandler } from './held-handler.ts'
import { rawClient, sendRaw } from './raw-client.ts'

const HOST = 'Host: localhost\r\n'
const CLOSE = 'Connection: close\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const get = (headers: string, target = '/thing') => `GET ${target} HTTP/1.1\r\n${HOST}${CLOSE}${headers}\r\n`
const post = (headers: string, body = '') => `POST /thing HTTP/1.1\r\n${HOST}${CLOSE}${headers}\r\n${body}`
const text = (length: number) => 'x'.repeat(length)

/** Malformed requests by name: the bytes, and the status of the JSON answer. */
const CORPUS: Readonly<Record<string, readonly [string | Uint8Array, number]>> = {
  // The request line
  'no method': ['/thing HTTP/1.1\r\n\r\n', 400],
  'unknown method': [`BREW /thing HTTP/1.1\r\n${HOST}\r\n`, 400],
  'lower-case method': [`get /thing HTTP/1.1\r\n${HOST}\r\n`, 400],
  'no version': [`GET /thing\r\n${HOST}\r\n`, 400],
  'unknown version': [`GET /thing HTTP/3.7\r\n${HOST}\r\n`, 400],
  'version of another protocol': [`GET /thing ICE/1.0\r\n${HOST}\r\n`, 400],
  'tab as separator': [`GET\t/thing\tHTTP/1.1\r\n${HOST}\r\n`, 400],
  'no target': [`GET  HTTP/1.1\r\n${HOST}\r\n`, 400],
  'target without slash': [`GET thing HTTP/1.1\r\n${HOST}\r\n`, 400],
  'target of another scheme': [`GET ftp://localhost/thing HTTP/1.1\r\n${HOST}\r\n`, 400],
  'target with only a scheme': [`GET http:// HTTP/1.1\r\n${HOST}\r\n`, 400],
  'target with a fragment': [`GET /thing#part HTTP/1.1\r\n${HOST}\r\n`, 400],
  'star without OPTIONS': [`GET * HTTP/1.1\r\n${HOST}\r\n`, 400],
  'raw UTF-8 in the path': [`GET /thíng HTTP/1.1\r\n${HOST}\r\n`, 400],
  'control character in the path': [`GET /th\x01ing HTTP/1.1\r\n${HOST}\r\n`, 400],
  'NUL in the path': [`GET /th\0ing HTTP/1.1\r\n${HOST}\r\n`, 400],
  'broken percent code': [get('', '/things/%zz'), 400],
  'lone percent': [get('', '/things/%'), 400],
  'percent code of half a character': [get('', '/things/%C3'), 400],
  'percent code of an overlong character': [get('', '/things/%C0%AF'), 400],
  'broken percent code on an unknown path': [get('', '/nowhere/%zz'), 400],
  'broken percent code in the query': [get('', '/things/1?a=%zz'), 400],
  'URL of 8,193 bytes': [get('', `/things/${text(8_193 - 8)}`), 414],
  'URL of 12 KB in the query': [get('', `/thing?q=${text(12_000)}`), 414],
  'URL over 16 KB': [get('', `/${text(20_000)}`), 431],

  // Bytes that are not HTTP
  'TLS hello': [Buffer.from('16030100a5010000a1030300', 'hex'), 400],
  'HTTP/2 preface': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'binary noise': [Buffer.from('00ff00ff80c0e0f0', 'hex'), 400],
  'a line of SMTP': ['EHLO example.org\r\n', 400],

  // Headers
  'no Host': ['GET /thing HTTP/1.1\r\n\r\n', 400],
  'two Hosts': [get('Host: elsewhere\r\n'), 400],
  'two equal Hosts': [get(HOST), 400],
  'Host with a path': ['GET /thing HTTP/1.1\r\nHost: localhost/x\r\n\r\n', 400],
  'Host with a user': ['GET /thing HTTP/1.1\r\nHost: me@localhost\r\n\r\n', 400],
  'Host with a space': ['GET /thing HTTP/1.1\r\nHost: local host\r\n\r\n', 400],
  'header without colon': [get('Nonsense\r\n'), 400],
  'header without name': [get(': value\r\n'), 400],
  'space before the colon': [get('Accept : x\r\n'), 400],
  'space in a name': [get('Acc ept: x\r\n'), 400],
  'folded header': [get('Accept: a\r\n b\r\n'), 400],
  'bare LF': [`GET /thing HTTP/1.1\n${HOST}\r\n`, 400],
  'bare CR in a value': [get('Accept: a\rb\r\n'), 400],
  'NUL in a value': [get('Accept: a\0b\r\n'), 400],
  'control character in a value': [get('Accept: a\x07b\r\n'), 400],
  'headers over 16 KB': [get(`X-Long: ${text(17_000)}\r\n`), 431],
  '101 headers': [get('X-Many: 1\r\n'.repeat(99)), 431],
  'two Authorizations': [get('Authorization: Bearer a\r\nAuthorization: Bearer a\r\n'), 400],
  'two API keys': [get('X-API-Key: a\r\nx-api-key: b\r\n'), 400],
  'two Content-Types': [post(`${JSON_TYPE}${JSON_TYPE}Content-Length: 2\r\n`, '{}'), 400],
  'unknown expectation': [get('Expect: a-pony\r\n'), 417],

  // Framing of the body
  'GET with a body': [`${get('Content-Length: 2\r\n')}{}`, 400],
  'GET with a chunked body': [`${get(CHUNKED)}0\r\n\r\n`, 400],
  'HEAD with a body': [`HEAD /thing HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`, 400],
  'Content-Length and Transfer-Encoding': [post(`Content-Length: 2\r\n${CHUNKED}`, '{}'), 400],
  'Transfer-Encoding and Content-Length': [post(`${CHUNKED}Content-Length: 2\r\n`, '0\r\n\r\n'), 400],
  'two different Content-Lengths': [post('Content-Length: 2\r\nContent-Length: 3\r\n', '{} '), 400],
  'two equal Content-Lengths': [post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), 400],
  'signed Content-Length': [post('Content-Length: +2\r\n', '{}'), 400],
  'negative Content-Length': [post('Content-Length: -2\r\n', '{}'), 400],
  'hexadecimal Content-Length': [post('Content-Length: 0x2\r\n', '{}'), 400],
  'list as Content-Length': [post('Content-Length: 2, 2\r\n', '{}'), 400],
  'Content-Length past 64 bits': [post('Content-Length: 99999999999999999999\r\n', '{}'), 400],
  'Transfer-Encoding gzip': [post(`${JSON_TYPE}Transfer-Encoding: gzip\r\n`, '{}'), 400],
  'Transfer-Encoding gzip, chunked': [
    post(`${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n`, '0\r\n\r\n'),
    400,
  ],
  'Transfer-Encoding chunked, identity': [post(`${JSON_TYPE}Transfer-Encoding: chunked, identity\r\n`), 400],
  'Transfer-Encoding xchunked': [post(`${JSON_TYPE}Transfer-Encoding: xchunked\r\n`, '0\r\n\r\n'), 400],
  'Transfer-Encoding twice': [post(`${JSON_TYPE}${CHUNKED}${CHUNKED}`, '0\r\n\r\n'), 400],
  'chunked in HTTP/1.0': [`POST /thing HTTP/1.0\r\n${JSON_TYPE}${CHUNKED}\r\n0\r\n\r\n`, 400],
  'chunk size that is no number': [post(`${JSON_TYPE}${CHUNKED}`, 'zz\r\n{}\r\n0\r\n\r\n'), 400],
  'negative chunk size': [post(`${JSON_TYPE}${CHUNKED}`, '-2\r\n{}\r\n0\r\n\r\n'), 400],
  'chunk longer than it says': [post(`${JSON_TYPE}${CHUNKED}`, '1\r\n{}\r\n0\r\n\r\n'), 400],
  'chunk size past 64 bits': [post(`${JSON_TYPE}${CHUNKED}`, 'fffffffffffffffff\r\n{}'), 400],
  'chunk extension of 20 KB': [post(`${JSON_TYPE}${CHUNKED}`, `2;x=${text(20_000)}\r\n{}\r\n0\r\n\r\n`), 413],

  // Encoding and type of the body
  'compressed body': [post(`${JSON_TYPE}Content-Encoding: gzip\r\nContent-Length: 2\r\n`, '{}'), 415],
  'doubly compressed body': [
    post(`${JSON_TYPE}Content-Encoding: identity, br\r\nContent-Length: 2\r\n`, '{}'),
    415,
  ],
  'body without a type': [post('Content-Length: 2\r\n', '{}'), 415],
  form: [post('Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n', 'a=1'), 415],
  'plain text': [post('Content-Type: text/plain\r\nContent-Length: 2\r\n', '{}'), 415],
  'something like JSON': [post('Content-Type: application/jsonp\r\nContent-Length: 2\r\n', '{}'), 415],
  'JSON in another character set': [
    post('Content-Type: application/json; charset=utf-16\r\nContent-Length: 2\r\n', '{}'),
    415,
  ],
  'malformed Content-Type': [post('Content-Type: ;;;\r\nContent-Length: 2\r\n', '{}'), 415],
  'body that is not JSON': [post(`${JSON_TYPE}Content-Length: 2\r\n`, '{,'), 400],
  'body that is a byte order mark': [post(`${JSON_TYPE}Content-Length: 5\r\n`, '\ufeff{}'), 400],
  'declared body of 102,401 bytes': [post(`${JSON_TYPE}Content-Length: 102401\r\n`), 413],

  // Path and method
  'unknown path': [get('', '/nowhere'), 404],
  root: [get('', '/'), 404],
  'trailing slash': [get('', '/thing/'), 404],
  'doubled slash': [get('', '//thing'), 404],
  'other case': [get('', '/Thing'), 404],
  'empty parameter': [get('', '/things/'), 404],
  'dot segments': [get('', '/things/../thing'), 404],
  'wrong method': [`DELETE /thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 405],
  'wrong method with a form': [
    `PUT /thing HTTP/1.1\r\n${HOST}${CLOSE}Content-Type: a/b\r\nContent-Length: 1\r\n\r\nx`,
    405,
  ],
  TRACE: [`TRACE /thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 405],
  CONNECT: [`CONNECT localhost:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
}

const quickEdge = () =>
  edgeUnderTest(
    (edge) => {
      edge.serve({ method: 'GET', path: '/thing', auth: 'none' }, () => ({ body: {} }))
      edge.serve({ method: 'POST', path: '/thing', auth: 'agent-key' }, (inbound) => ({
        body: inbound.body(),
      }))
      edge.serve({ method: 'GET', path: '/things/{id}', auth: 'none' }, (inbound) => ({
        body: { id: inbound.params.id, query: inbound.query() },
      }))
    },
    { requestMs: 5_000 },
  )

suite('malformed requests', () => {
  test('the corpus has at least 60 requests', () => {
    assert.ok(Object.keys(CORPUS).length >= 60)
  })

  test('each gets the expected status and the JSON error body, then the connection is closed', async (context) => {
    await using app = await quickEdge()
    for (const [name, [bytes, status]] of Object.entries(CORPUS)) {
      await context.test(`${status}: ${name}`, async () => {
        const responses = await sendRaw(app.port, bytes)
        assert.equal(responses.length, 1, 'one answer')
        // An answer to HEAD has no body to check.
        if (name.startsWith('HEAD')) assert.equal(responses[0]?.status, status)
        else assertErrorAnswer(responses[0], status)
      })
    }
    const logged = app.lines.filter(({ event }) => event === 'request').length
    assert.equal(logged, Object.keys(CORPUS).length, 'each request is logged once')
  })

  test('200: unusual but well-formed requests are served', async () => {
    await using app = await quickEdge()
    const fine = {
      'HTTP/1.0 without Host': 'GET /thing HTTP/1.0\r\n\r\n',
      'absolute target': `GET http://elsewhere/thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
      'Upgrade nobody handles': get('Connection: upgrade\r\nUpgrade: h2c\r\n').replace(CLOSE, ''),
      'empty Host': `GET /thing HTTP/1.1\r\nHost:\r\n${CLOSE}\r\n`,
      'Content-Encoding identity': post(
        `${JSON_TYPE}Content-Encoding: identity\r\nContent-Length: 2\r\n`,
        '{}',
      ),
      'charset utf-8': post('Content-Type: Application/JSON; Charset="UTF-8"\r\nContent-Length: 2\r\n', '{}'),
      'URL of 8,192 bytes': get('', `/things/${text(8_192 - 8)}`),
    }
    for (const [name, bytes] of Object.entries(fine)) {
      await using client = await rawClient(app.port)
      client.send(bytes)
      const { status, body } = await client.next()
      assert.equal(status, 200, `${name}: ${body}`)
    }
  })

  test('a good request is answered although garbage follows it on the connection', async () => {
    const slow = heldHandler()
    await using app = await edgeUnderTest((edge) =>
      edge.serve({ method: 'GET', path: '/slow', auth: 'none' }, slow.handler),
    )
    await using client = await rawClient(app.port)
    client.send(`GET /slow HTTP/1.1\r\n${HOST}\r\ngarbage\r\n\r\n`)
    await slow.started
    slow.release()
    const responses = await client.untilClosed()
    assert.equal(responses[0]?.status, 200)
    assertErrorAnswer(responses[1], 400)
  })

  test('a client that expects 100 Continue gets it, or 413 without it if its body is too large', async () => {
    await using app = await quickEdge()
    const expecting = (length: number) =>
      post(`${JSON_TYPE}Expect: 100-continue\r\nContent-Length: ${length}\r\n`)
    const [refused] = await sendRaw(app.port, expecting(200_000))
    assertErrorAnswer(refused, 413)
    await using client = await rawClient(app.port)
    client.send(expecting(2))
    const [first] = await new Promise<Buffer[]>((resolve) =>
      client.socket.once('data', (chunk: Buffer) => resolve([chunk])),
    )
    assert.match(String(first), /^HTTP\/1.1 100 Continue/)
    client.send('{}')
    assert.equal((await client.next()).status, 200)
  })

  test('the answer to the last request allowed on a connection says Connection: close', async () => {
    await using app = await edgeUnderTest(
      (edge) => edge.serve({ method: 'GET', path: '/thing', auth: 'none' }, () => ({ body: {} })),
      { maxRequestsPerSocket: 3 },
    )
    const responses = await sendRaw(app.port, `GET /thing HTTP/1.1\r\n${HOST}\r\n`.repeat(5))
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.connection]),
      [
        [200, 'keep-alive'],
        [200, 'keep-alive'],
        [200, 'close'],
      ],
    )
  })
})
