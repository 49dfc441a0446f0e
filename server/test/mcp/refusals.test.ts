import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { connectMcp, ERAS, type Revision } from './mcp-client.ts'

for (const revision of Object.keys(ERAS) as Revision[]) {
  test(`${revision}: without a key, a tool that needs one says how to get it`, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const { isError, text } = await mcp.call('allocate', { amount: '1000000000000' })
    assert(isError)
    assert.match(text, /unauthorized/)
    assert.match(text, /sandbox_key/)
  })

  test(`${revision}: wrong input is a result that names the field`, async () => {
    await using app = await openTestApp()
    const { apiKey } = await admitAgent(app)
    await using mcp = await connectMcp(app.url, revision, { 'x-api-key': apiKey })
    const { isError, text } = await mcp.call('allocate', { amount: 'all' })
    assert(isError)
    assert.match(text, /amount/)
    const surplus = await mcp.call('epoch', { apiKey })
    assert(surplus.isError, 'a tool that needs no key takes none')
  })

  test(`${revision}: a used-up limit is a result with the time to wait`, async () => {
    await using app = await openTestApp()
    const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 1, rpd: 10 } })
    await using mcp = await connectMcp(app.url, revision, { 'x-api-key': apiKey })
    assert(!(await mcp.call('metadata')).isError)
    const { isError, text } = await mcp.call('metadata')
    assert(isError)
    assert.match(text, /rate_limited/)
    assert.match(text, /retryAfterSeconds: \d+/)
  })

  test(`${revision}: a revoked key is refused by HTTP`, async () => {
    await using app = await openTestApp()
    const { apiKey, id } = await admitAgent(app)
    await using mcp = await connectMcp(app.url, revision, { 'x-api-key': apiKey })
    await app.client({ token: await userToken(app, 'ann@example.com') }).revokeAgent({ id })
    await assert.rejects(mcp.call('metadata'), /401|revoked/i)
  })
}

const post = (app: TestApp, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

test('401: a bad key comes with a challenge that names the token', async () => {
  await using app = await openTestApp()
  const call = { ...LIST, method: 'tools/call', params: { name: 'metadata', arguments: {} } }
  const response = await post(app, call, { authorization: 'Bearer stk_nothing' })
  assert.equal(response.status, 401)
  assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/)
})

test('403: a page of another origin is refused, also when it has rebound its name to this host', async () => {
  await using app = await openTestApp()
  for (const origin of [
    'http://attacker.example',
    'null',
    `http://attacker.example:${new URL(app.url).port}`,
  ]) {
    assert.equal((await post(app, LIST, { origin })).status, 403, origin)
  }
  assert.equal((await post(app, LIST, { origin: app.url })).status, 200)
})

test('400: a batch is refused, because it would pass the limit per address as one request', async () => {
  await using app = await openTestApp()
  assert.equal((await post(app, [LIST, { ...LIST, id: 2 }])).status, 400)
})

test('405: there is no stream to open and no session to end', async () => {
  await using app = await openTestApp()
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await fetch(`${app.url}/mcp`, { method })).status, 405)
  }
})

test('429: requests count for their address', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '2' } })
  assert.equal((await post(app, LIST)).status, 200)
  assert.equal((await post(app, LIST)).status, 200)
  assert.equal((await post(app, LIST)).status, 429)
})
