import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@stakewright/contract'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

type Headers = Readonly<Record<string, string>>

const BOTH = { accept: 'application/json, text/event-stream' }

const send = (app: TestApp, body: string | undefined, headers: Headers = BOTH) =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })

const post = (app: TestApp, message: unknown, headers: Headers = BOTH) =>
  send(app, JSON.stringify(message), headers)

async function errorIn(response: Response) {
  const text = await response.text()
  const { jsonrpc, id, error } = JSON.parse(text.replace(/^event: message\ndata: /, ''))
  assert.equal(jsonrpc, '2.0', text)
  assert.equal(typeof error.message, 'string', text)
  return { id, ...error }
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const callOf = (name: string, given: object = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
})

test('400: a body that is missing, no JSON or no JSON-RPC message gets a JSON-RPC error', async () => {
  await using app = await openTestApp()
  for (const body of [undefined, '', '{', '{"a":1,"a":2}']) {
    const response = await send(app, body)
    assert.equal(response.status, 400, String(body))
    assert.equal((await errorIn(response)).code, -32_700, String(body))
  }
  for (const body of ['"x"', '5', 'null', '{}', '{"jsonrpc":"2.0","id":7}', '{"method":5}']) {
    const response = await send(app, body)
    assert.equal(response.status, 400, body)
    const { code, message } = await errorIn(response)
    assert.equal(code, -32_600, body)
    assert.match(message, /^Send a JSON-RPC message/, body)
  }
})

test('400: a message of another JSON-RPC, or without a readable id, gets an error with the id, or with null', async () => {
  await using app = await openTestApp()
  const modern = { ...BOTH, 'mcp-protocol-version': '2026-07-28' }
  for (const [message, id] of [
    [{ ...PING, jsonrpc: '1.0' }, 1],
    [{ ...PING, jsonrpc: 2, id: 'a' }, 'a'],
    [{ id: 1, method: 'ping' }, 1],
    [{ ...PING, jsonrpc: '1.0', id: {} }, null],
    [{ ...PING, id: {} }, null],
    [{ ...PING, id: null }, null],
    [{ ...PING, id: 1.5 }, 1.5],
  ] as const)
    for (const headers of [BOTH, modern]) {
      const response = await post(app, message, headers)
      const label = JSON.stringify([message, headers])
      assert.equal(response.status, 400, label)
      const error = await errorIn(response)
      assert.deepEqual([error.id, error.code], [id, -32_600], label)
      assert.match(error.message, /Send a JSON-RPC message/, label)
    }
  const [answer] = await (await post(app, [{ ...PING, jsonrpc: '1.0' }])).json()
  assert.deepEqual([answer.id, answer.error.code], [1, -32_600], 'in a batch')
})

test('a wrong parameter of any method is named in the error message, without raw JSON', async () => {
  await using app = await openTestApp()
  const wrong: readonly (readonly [method: string, params: unknown, field: string])[] = [
    ['resources/read', {}, 'uri'],
    ['resources/read', { uri: 5 }, 'uri'],
    ['prompts/get', {}, 'name'],
    ['prompts/get', { name: 'stake-an-amount', arguments: { amount: 5 } }, 'arguments.amount'],
    ['tools/call', {}, 'name'],
    ['tools/call', { name: 5 }, 'name'],
    ['tools/list', { cursor: 5 }, 'cursor'],
    ['initialize', {}, 'protocolVersion'],
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {} }, 'clientInfo'],
  ]
  for (const [method, params, field] of wrong) {
    const label = `${method} ${JSON.stringify(params)}`
    const { id, code, message } = await errorIn(await post(app, { ...PING, id: 9, method, params }))
    assert.deepEqual([id, code], [9, -32_602], `${label}: ${message}`)
    assert(message.startsWith(`\`${field}\` must be`), `${label}: ${message}`)
    assert.doesNotMatch(message, /[[{]/, label)
  }
})

test('at revision 2026-07-28, error messages about wrong parameters have no raw JSON, either', async () => {
  await using app = await openTestApp()
  const prefix = 'io.modelcontextprotocol'
  const meta = {
    [`${prefix}/protocolVersion`]: '2026-07-28',
    [`${prefix}/clientInfo`]: { name: 'x', version: '1' },
    [`${prefix}/clientCapabilities`]: {},
  }
  for (const [method, params, field] of [
    ['resources/read', { uri: 5 }, 'uri'],
    ['prompts/get', { name: 'stake-an-amount', arguments: { amount: 5 } }, 'arguments.amount'],
    ['tools/call', {}, 'name'],
  ] as const) {
    const headers = { ...BOTH, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
    const named = 'name' in params ? { ...headers, 'mcp-name': params.name } : headers
    const { message } = await errorIn(
      await post(app, { ...PING, method, params: { ...params, _meta: meta } }, named),
    )
    assert(message.startsWith(`\`${field}\` must be`), `${method}: ${message}`)
    assert.doesNotMatch(message, /[[{]/, `${method}: ${message}`)
  }
})

test('refusals of the HTTP layer keep their status and are JSON-RPC errors, with the error body of the API as data', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '8' } })
  const long = JSON.stringify({ ...PING, params: { x: 'x'.repeat(LIMITS.bodyBytes) } })
  const refusals: readonly (readonly [status: number, sent: Promise<Response>])[] = [
    [401, post(app, PING, { ...BOTH, 'x-api-key': 'stk_nothing' })],
    [401, post(app, callOf('epoch'), { ...BOTH, 'x-api-key': 'stk_nothing' })],
    [403, post(app, PING, { ...BOTH, origin: 'http://attacker.example' })],
    [413, send(app, long)],
    [415, send(app, JSON.stringify(PING), { ...BOTH, 'content-type': 'text/plain' })],
  ]
  for (const [status, sent] of refusals) {
    const response = await sent
    assert.equal(response.status, status)
    const { id, code, data } = await errorIn(response)
    // A request that is refused by its head is not read, so its id is unknown.
    assert.deepEqual([id, code], [status < 410 ? PING.id : null, -32_000], String(status))
    if (status !== 415) assert.equal(data.status, status)
  }
  for (let at = 0; at < 8; at += 1) await post(app, PING)
  const limited = await post(app, PING)
  assert.equal(limited.status, 429)
  const { id, data } = await errorIn(limited)
  assert.deepEqual([id, data.error], [PING.id, 'rate_limited'])
  assert.equal(String(data.retryAfterSeconds), limited.headers.get('retry-after'))
})

test('200: an Accept header with */* is served; 406: one without a supported type', async () => {
  await using app = await openTestApp()
  for (const accept of ['*/*', 'text/html, */*;q=0.8', BOTH.accept])
    assert.equal((await post(app, PING, { accept })).status, 200, accept)
  assert.equal((await post(app, PING, { accept: 'text/html' })).status, 406)
})

test('a batch of revision 2025-03-26 is answered message by message', async () => {
  await using app = await openTestApp()
  const { apiKey, id: agentId } = await admitAgent(app)
  const batch = [
    PING,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    callOf('epoch', {}, 2),
    callOf('usage', {}, 3),
    callOf('metadata', {}, 4),
    { ...PING, id: 5, method: 'resources/read', params: {} },
    { id: 6 },
  ]
  for (const version of [undefined, '2025-03-26']) {
    const headers = { ...BOTH, 'x-api-key': apiKey, ...(version && { 'mcp-protocol-version': version }) }
    const response = await post(app, batch, headers)
    assert.equal(response.status, 200)
    const answers = await response.json()
    assert.deepEqual(
      answers.map(({ id }: { id: number }) => id),
      [1, 2, 3, 4, 5, 6],
    )
    assert.equal(answers[1].result.structuredContent.epoch, 91)
    assert.deepEqual([answers[4].error.code, answers[5].error.code], [-32_602, -32_600])
  }
  const user = app.client({ token: await userToken(app, 'ann@example.com') })
  const { data } = await user.agentAudit({ id: agentId })
  for (const tool of ['usage', 'metadata'])
    assert.equal(data.filter(({ endpoint }) => endpoint === `mcp:${tool}`).length, 2, tool)
  const silent = await post(app, [{ jsonrpc: '2.0', method: 'notifications/initialized' }])
  assert.equal(silent.status, 202)
  assert.equal(await silent.text(), '')
})

test('400: a batch at a revision without batches, an empty or long one, or one with `initialize`; 401 with a bad key', async () => {
  await using app = await openTestApp()
  const start = { ...PING, method: 'initialize', params: {} }
  const refused: readonly (readonly [batch: readonly unknown[], headers: Headers])[] = [
    ...['2025-06-18', '2025-11-25', '2026-07-28'].map(
      (version) => [[PING, PING], { 'mcp-protocol-version': version }] as const,
    ),
    [[], {}],
    [Array.from({ length: 21 }, () => PING), {}],
    [[start, PING], {}],
  ]
  for (const [batch, headers] of refused) {
    const response = await post(app, batch, { ...BOTH, ...headers })
    assert.equal(response.status, 400, JSON.stringify(headers))
    assert.equal((await errorIn(response)).code, -32_600)
  }
  assert.equal((await post(app, [PING], { ...BOTH, 'x-api-key': 'stk_nothing' })).status, 401)
})

test('429: each message of a batch counts against the limit of the address', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '4' } })
  const batch = Array.from({ length: 6 }, (_, at) => callOf('epoch', {}, at))
  const answers = await (await post(app, batch)).json()
  const errors = answers.flatMap(({ error }: { error?: { code: number } }) => (error ? [error.code] : []))
  assert.equal(answers.length, 6)
  assert.deepEqual(errors, [-32_000, -32_000])
  assert.equal((await post(app, PING)).status, 429)
})
