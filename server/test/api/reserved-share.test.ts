import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { Logger } from '#ports/logger.ts'
import { rawClient } from '../edge/raw-client.ts'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { mailedCode } from '../support/registered-agent.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const ENV = { TRUST_PROXY_HOPS: '1', LIMIT_IP_RPM: '20', LIMIT_GLOBAL_RPM: '40' }
const USAGE = '/api/v1/staking/agent/usage'
const EPOCH = '/api/v1/staking/epoch'

/** Makes well-formed keys that nobody has. */
const forgery = openSecrets({ keyPrefix: 'stk', pepper: 'somebody else’s pepper, of no use here' })

function sender(app: TestApp) {
  let host = 0
  const send = async (path: string, headers: Record<string, string> = {}, sent: RequestInit = {}) => {
    host += 1
    const from = { 'x-forwarded-for': `10.1.${host >> 8}.${host & 255}` }
    return (await fetch(app.url + path, { ...sent, headers: { ...from, ...headers } })).status
  }
  const flood = async (
    count: number,
    path: string,
    headers: () => Record<string, string> = () => ({}),
    request: RequestInit = {},
  ) => {
    const found = new Map<number, number>()
    for (let sent = 0; sent < count; sent += 1) {
      const status = await send(path, headers(), request)
      found.set(status, (found.get(status) ?? 0) + 1)
    }
    return Object.fromEntries(found)
  }
  return { send, flood }
}

const FLOODS: Readonly<Record<string, readonly [path: string, headers: () => Record<string, string>]>> = {
  'requests without a key (401)': [USAGE, () => ({})],
  'paths that are not there (404)': ['/api/v1/nothing-here', () => ({})],
  'junk in place of a key (401)': [USAGE, () => ({ 'x-api-key': 'stk_junk' })],
  'forged keys of the right form (401)': [USAGE, () => ({ 'x-api-key': forgery.newApiKey() })],
  'forged tokens (401)': [
    '/api/v1/agents',
    () => ({ authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.AAAA' }),
  ],
  'public reads (200)': [EPOCH, () => ({})],
}

const json = { 'content-type': 'application/json' }

/** The calls to sign in and to report a leaked key, each from its own address. */
async function waysIn(app: TestApp, apiKey: string) {
  let host = 0
  const post = (path: string, body: unknown) => {
    host += 1
    const headers = { ...json, 'x-forwarded-for': `192.0.2.${host}` }
    return fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const { status: asked } = await post('/api/v1/auth/code', { email: 'ann@example.com' })
  const code = await mailedCode(app, 'ann@example.com')
  const exchanged = await post('/api/v1/auth/token', { email: 'ann@example.com', code })
  const { data } = (await exchanged.json()) as { data: { accessToken: string } }
  const { status: challenged } = await post('/api/v1/agents/challenge', { address: `0x${'a'.repeat(64)}` })
  const { status: reported } = await post('/api/v1/agents/report-leak', { apiKey })
  return { asked, exchanged: exchanged.status, challenged, reported, token: data.accessToken }
}

for (const [name, [path, headers]] of Object.entries(FLOODS)) {
  test(`200: a flood of ${name} closes the service for strangers, not for agents and users`, async () => {
    await using app = await openTestApp({ env: ENV })
    const { apiKey } = await admitAgent(app)
    const token = await userToken(app, 'ann@example.com')
    const { send, flood } = sender(app)
    assert.equal(await send(USAGE, { 'x-api-key': apiKey }), 200)
    assert.equal(await send('/api/v1/agents', { authorization: `Bearer ${token}` }), 200)
    await flood(90, path, headers)
    assert.equal(await send(EPOCH), 503)
    assert.equal(await send(USAGE, { 'x-api-key': apiKey }), 200)
    assert.equal(await send(USAGE, { authorization: `Bearer ${apiKey}` }), 200)
    assert.equal(await send('/api/v1/agents', { authorization: `Bearer ${token}` }), 200)
  })
}

test('200: during a flood of wrong codes owners can sign in, and leaked keys can be ended', async () => {
  await using app = await openTestApp({ env: ENV })
  const { apiKey } = await admitAgent(app, { email: 'ann@example.com' })
  const { send, flood } = sender(app)
  const wrong = { method: 'POST', body: JSON.stringify({ email: 'ann@example.com', code: '000000' }) }
  await flood(90, '/api/v1/auth/token', () => json, wrong)
  assert.equal(await send(EPOCH), 503)
  const { token, ...statuses } = await waysIn(app, apiKey)
  assert.deepEqual(statuses, { asked: 202, exchanged: 200, challenged: 200, reported: 202 })
  assert.equal(await send('/api/v1/agents', { authorization: `Bearer ${token}` }), 200)
  assert.equal(await send(USAGE, { 'x-api-key': apiKey }), 401)
})

test('200: after a flood the breaker closes without further requests, and the next one is served', async () => {
  const events: string[] = []
  const warn: Logger['warn'] = (event) => void (event.startsWith('breaker') && events.push(event))
  await using app = await openTestApp({ env: ENV, runsJobs: false, logger: { ...silentLogger, warn } })
  const { send, flood } = sender(app)
  await flood(60, EPOCH)
  const waitQuietly = async (ms: number) => {
    app.clock.advance(ms)
    await app.runJob('update-breaker')
  }
  await waitQuietly(61_000)
  await waitQuietly(4_000)
  assert.deepEqual(events, ['breaker opened'])
  assert.equal(await send(EPOCH), 503)
  await waitQuietly(1_000)
  assert.deepEqual(events, ['breaker opened', 'breaker closed'])
  assert.equal(await send(EPOCH), 200)
})

test('200: wasted requests of one key take nothing from the share of another', async () => {
  await using app = await openTestApp({ env: ENV })
  const [wasteful, other, third] = [await admitAgent(app), await admitAgent(app), await admitAgent(app)]
  const { send, flood } = sender(app)
  for (const { apiKey } of [wasteful, other]) assert.equal(await send(USAGE, { 'x-api-key': apiKey }), 200)
  await flood(40, EPOCH)
  const wasted = await flood(60, '/api/v1/nothing-here', () => ({ 'x-api-key': wasteful.apiKey }))
  // The limit of an address, and one for the request that was admitted.
  assert.deepEqual(wasted, { 404: 21, 503: 39 })
  assert.equal(await send(USAGE, { 'x-api-key': other.apiKey }), 200)
  assert.equal(await send('/api/v1/agents/self', { 'x-api-key': third.apiKey }, { method: 'DELETE' }), 200)
})

test('200: unknown credentials keep out no new key and no new token', async () => {
  await using app = await openTestApp({ env: ENV })
  const { apiKey } = await admitAgent(app)
  const token = await userToken(app, 'ann@example.com')
  const { send, flood } = sender(app)
  await flood(120, '/api/v1/nothing-here', () => ({ authorization: 'Bearer a.b.c' }))
  assert.equal(await send(EPOCH), 503)
  assert.equal(await send(USAGE, { 'x-api-key': apiKey }), 200)
  assert.equal(await send('/api/v1/agents', { authorization: `Bearer ${token}` }), 200)
})

test('200: agents that use up the total limit keep no owner from stopping one of them', async () => {
  await using app = await openTestApp({ env: ENV })
  const agent = await admitAgent(app, { rateLimits: { rpm: 1000, rpd: 1000 } })
  const admin = await userToken(app, 'admin@example.com', 'admin')
  const { send, flood } = sender(app)
  await flood(60, USAGE, () => ({ 'x-api-key': agent.apiKey }))
  assert.equal(await send(USAGE, { 'x-api-key': agent.apiKey }), 503)
  const path = `/api/v1/agents/${agent.id}`
  assert.equal(await send(path, { authorization: `Bearer ${admin}` }, { method: 'DELETE' }), 200)
})

test('200: over MCP a key passes for every message of a batch, and also as an argument', async () => {
  await using app = await openTestApp({ env: ENV })
  const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 100, rpd: 100 } })
  const { send, flood } = sender(app)
  assert.equal(await send(USAGE, { 'x-api-key': apiKey }), 200)
  await flood(60, EPOCH)
  const call = (id: number, given = {}) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'usage', arguments: given },
  })
  const post = async (body: unknown, headers: Record<string, string>) => {
    const sent = { ...json, accept: 'application/json, text/event-stream', 'x-forwarded-for': '192.0.2.7' }
    const answer = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { ...sent, 'mcp-protocol-version': '2025-03-26', ...headers },
      body: JSON.stringify(body),
    })
    return await answer.text()
  }
  const answers = JSON.parse(await post([call(1), call(2), call(3)], { 'x-api-key': apiKey }))
  assert.deepEqual(
    answers.map(({ error }: { error?: { message: string } }) => error?.message),
    [undefined, undefined, undefined],
  )
  assert.match(await post(call(4, { apiKey }), {}), /"used"/)
})

test('200: malformed requests close the service for strangers only', async () => {
  await using app = await openTestApp({ env: { ...ENV, LIMIT_IP_RPM: '1000' } })
  const { apiKey } = await admitAgent(app)
  const { send } = sender(app)
  const refused: (number | undefined)[] = []
  for (let sent = 0; sent < 60; sent += 1) {
    await using client = await rawClient(Number(new URL(app.url).port))
    client.send('BAD\r\n\r\n')
    refused.push((await client.untilClosed())[0]?.status)
  }
  assert.equal(refused.at(-1), 503)
  assert.equal(await send(EPOCH), 503)
  assert.equal(await send(USAGE, { 'x-api-key': apiKey }), 200)
})

test('200: the first request of an agent is admitted during a flood, too', async () => {
  await using app = await openTestApp({ env: ENV })
  const { apiKey } = await admitAgent(app)
  const { send, flood } = sender(app)
  await flood(80, USAGE)
  assert.equal(await send(USAGE, { 'x-api-key': apiKey }), 200)
})

test('503: agents alone are refused above the total, and a key on a public path is no way around it', async () => {
  await using app = await openTestApp({ env: ENV })
  const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 1000, rpd: 1000 } })
  const { send, flood } = sender(app)
  const keyed = await flood(60, USAGE, () => ({ 'x-api-key': apiKey }))
  // The registration was one of the 40.
  assert.deepEqual(keyed, { 200: 39, 503: 21 })
  app.clock.advance(120_000)
  await flood(1, EPOCH)
  app.clock.advance(6_000)
  const around = await flood(200, EPOCH, () => ({ 'x-api-key': apiKey }))
  assert((around[200] ?? 0) <= 80, JSON.stringify(around))
  assert.equal(await send(EPOCH), 503)
})
