import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw } from '../edge/raw-client.ts'
import { admitAgent } from '../support/admitted-agent.ts'
import { openTestApp } from '../support/test-app.ts'

type Malformed = readonly [name: string, bytes: string | Uint8Array, status: number]

const line = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`

/** Real routes of every kind. */
const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/v1/staking/validators'],
  ['GET', '/api/v1/staking/agent/usage'],
  ['POST', '/api/v1/agents/self-register'],
  ['POST', '/api/v1/staking/agent/allocate'],
  ['PATCH', '/api/v1/agents/agt_x'],
  ['DELETE', '/api/v1/agents/agt_x'],
  ['POST', '/mcp'],
]

/** Malformed heads, sent to every route. */
const HEADS: readonly (readonly [name: string, lines: string, status: number])[] = [
  ['two Hosts', 'Host: elsewhere\r\n', 400],
  ['header without colon', 'Nonsense\r\n', 400],
  ['header without name', ': value\r\n', 400],
  ['space before the colon', 'Accept : x\r\n', 400],
  ['space in a name', 'Acc ept: x\r\n', 400],
  ['folded header', 'Accept: a\r\n b\r\n', 400],
  ['NUL in a value', 'Accept: a\0b\r\n', 400],
  ['control character in a value', 'Accept: a\x07b\r\n', 400],
  ['bare CR in a value', 'Accept: a\rb\r\n', 400],
  ['two Authorizations', 'Authorization: Bearer a\r\nAuthorization: Bearer a\r\n', 400],
  ['two API keys', 'X-API-Key: a\r\nX-API-Key: a\r\n', 400],
  ['unknown expectation', 'Expect: a-pony\r\n', 417],
  ['101 headers', 'X-Many: 1\r\n'.repeat(99), 431],
  ['headers over 16 KB', `X-Long: ${'x'.repeat(17_000)}\r\n`, 431],
  ['length and chunked', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', 400],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n', 400],
  ['length with a sign', 'Content-Length: +2\r\n', 400],
  ['length in hex', 'Content-Length: 0x2\r\n', 400],
  ['negative length', 'Content-Length: -2\r\n', 400],
  ['list as length', 'Content-Length: 2, 2\r\n', 400],
  ['unknown coding', 'Transfer-Encoding: xchunked\r\n', 400],
  ['chunked twice', 'Transfer-Encoding: chunked, chunked\r\n', 400],
  ['chunked not last', 'Transfer-Encoding: chunked, identity\r\n', 400],
]

const heads = (): Malformed[] =>
  ROUTES.flatMap(([method, path]) =>
    HEADS.map(
      ([name, lines, status]): Malformed => [
        `${method} ${path}: ${name}`,
        `${line(method, path)}${lines}\r\n`,
        status,
      ],
    ),
  )

const lines = (): Malformed[] =>
  ROUTES.flatMap(([method, path]): Malformed[] => [
    [`${method} ${path}: lower case`, line(method.toLowerCase(), path).concat('\r\n'), 400],
    [`${method} ${path}: no version`, `${method} ${path}\r\nHost: localhost\r\n\r\n`, 400],
    [`${method} ${path}: HTTP/9`, `${method} ${path} HTTP/9\r\nHost: localhost\r\n\r\n`, 400],
    [`${method} ${path}: no Host`, `${method} ${path} HTTP/1.1\r\n\r\n`, 400],
    [`${method} ${path}: fragment`, line(method, `${path}#x`).concat('\r\n'), 400],
    [`${method} ${path}: raw UTF-8`, line(method, `${path}é`).concat('\r\n'), 400],
    [`${method} ${path}: long URL`, line(method, `${path}?${'x'.repeat(9_000)}`).concat('\r\n'), 414],
    [`${method} ${path}: bare LF`, line(method, path).replace('\r\n', '\n').concat('\r\n'), 400],
  ])

/** A valid body of each endpoint that takes one without a user. */
const BODIES: Readonly<Record<string, string>> = {
  '/api/v1/agents/self-register': '{"email":"ann@example.com","agentName":"scout"}',
  '/api/v1/auth/code': '{"email":"ann@example.com"}',
  '/api/v1/auth/token': '{"email":"ann@example.com","code":"123456"}',
  '/api/v1/staking/agent/allocate': '{"amount":"1000000000000","maxValidators":5}',
}

const ODD_TEXTS = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '"x"',
  '[]',
  '[{}]',
  'undefined',
  'NaN',
  '{',
  '}',
  '{}}',
  '{}{}',
  '{a:1}',
  "{'a':1}",
  '{"a":1,}',
  '{"a":01}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":1e400}',
  '{"a":0x1f}',
  '{"a":"\t"}',
  '{"a":"\\x41"}',
  '{"a":"\\ud800"}',
  '/* */{}',
  '{}//',
  '\ufeff{}',
  `${'['.repeat(33)}${']'.repeat(33)}`,
]

/** Copies of a valid body, each made invalid in another way. */
const spoil = (body: string): readonly string[] => [
  body.replace('{', '{"__proto__":{},'),
  body.replace('{', '{"constructor":{},'),
  body.replace('{', '{"prototype":{},'),
  body.replace('{', '{"nobodyKnows":1,'),
  body.replace('{', `${body.slice(0, body.indexOf(','))},`.replace('{{', '{')),
  body.replace('}', `,${body.slice(1, body.indexOf(':'))}:null}`),
  body.replace(/:"[^"]*"/, ':"\\ud800"'),
  body.replace(/:"[^"]*"/, ':9007199254740993'),
  body.replace(/:"[^"]*"/, ':{"deep":[]}'),
  body.replace(/:"[^"]*"/, ':[null]'),
]

function bodies(apiKey: string): Malformed[] {
  const send = (path: string, body: string | Uint8Array, type = 'application/json') =>
    Buffer.concat([
      Buffer.from(
        `${line('POST', path)}X-API-Key: ${apiKey}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
      ),
      Buffer.from(body),
    ])
  return Object.entries(BODIES).flatMap(([path, right]): Malformed[] => {
    const cut = Array.from({ length: right.length - 1 }, (_, at) => right.slice(0, at + 1))
    const texts = [...cut, ...ODD_TEXTS, ...spoil(right).filter((text) => text !== right)]
    return [
      ...texts.map((text): Malformed => [`${path}: ${text}`, send(path, text), 400]),
      [`${path}: not UTF-8`, send(path, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 400],
      [`${path}: a form`, send(path, right, 'application/x-www-form-urlencoded'), 415],
      [`${path}: text`, send(path, right, 'text/plain'), 415],
      [`${path}: another charset`, send(path, right, 'application/json; charset=latin1'), 415],
      [`${path}: too large`, send(path, `{"a":"${'x'.repeat(102_400)}"}`), 413],
    ]
  })
}

test('every malformed request gets the right refusal, and the service works afterwards', async () => {
  await using app = await openTestApp({
    env: { LIMIT_IP_RPM: '100000', LIMIT_REGISTER_IP_HOUR: '100000', LIMIT_REGISTER_IP_DAY: '100000' },
  })
  const port = Number(new URL(app.url).port)
  const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 100_000, rpd: 100_000 } })
  const corpus = [...heads(), ...lines(), ...bodies(apiKey)]
  assert(corpus.length >= 400, `${corpus.length} requests`)
  const wrong: string[] = []
  for (const [name, bytes, status] of corpus) {
    const [answer] = await sendRaw(port, bytes)
    const sent = answer ? JSON.parse(answer.body) : {}
    // The MCP endpoint has the error body as the `data` of a JSON-RPC error.
    const body = sent.jsonrpc === '2.0' ? sent.error.data : sent
    if (answer?.status !== status || body.status !== status || typeof body.error !== 'string')
      wrong.push(`${name}: ${answer?.status} instead of ${status}`)
  }
  assert.deepEqual(wrong, [])
  assert.equal((await fetch(`${app.url}/readyz`)).status, 200)
  await app.client({ apiKey }).allocate({ amount: '1000000000000' })
})
