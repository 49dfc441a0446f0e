import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { changeStore } from '../support/test-store.ts'

const AGENT = '/api/v1/staking/agent'
const NAMES = ['limit-rpm', 'limit-rpd', 'remaining', 'remaining-rpm', 'remaining-rpd', 'reset']
const ANY_NUMBER = { LIMIT_IP_RPM: '100000' }

const limitsOf = ({ headers }: Response) => NAMES.map((name) => headers.get(`x-ratelimit-${name}`))
const call = (app: TestApp, path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(app.url + path, { ...init, headers: { ...headers, 'content-type': 'application/json' } })

test('200 400 403 404 429 500: every answer to a key or a token has the remainder of its limits', async () => {
  await using app = await openTestApp({ env: ANY_NUMBER })
  const reset = String(app.clock.now() / 1000 + 60)
  const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 6, rpd: 5 } })
  const key = { 'x-api-key': apiKey }
  const left = (used: number) => ['6', '5', 5 - used, 6 - used, 5 - used, reset].map(String)
  const steps = [
    { path: '/metadata', status: 200 },
    { path: '/metadata', status: 200, init: { method: 'HEAD' } },
    { path: '/allocate', status: 400, init: { method: 'POST', body: '{"amount":"-1"}' } },
    { path: '/rebalance-plan', status: 403, init: { method: 'POST', body: '{}' } },
    { path: `/delegators/0x${'0'.repeat(64)}`, status: 404 },
  ]
  for (const [at, { path, status, init }] of steps.entries()) {
    const response = await call(app, AGENT + path, key, init)
    assert.deepEqual([response.status, ...limitsOf(response)], [status, ...left(at + 1)], path)
  }
  const refused = await call(app, `${AGENT}/metadata`, key)
  assert.deepEqual([refused.status, ...limitsOf(refused)], [429, ...left(5)])

  const token = { authorization: `Bearer ${await userToken(app, 'eve@example.com')}` }
  const listed = await call(app, '/api/v1/agents', token)
  assert.deepEqual(limitsOf(listed), ['100', '10000', '99', '99', '9999', reset])
  const foreign = await call(app, '/api/v1/agents/agt_x/profile', token)
  assert.deepEqual([foreign.status, foreign.headers.get('x-ratelimit-remaining')], [404, '98'])
  await changeStore(app.folder, 'alter table agents rename to hidden')
  const failed = await call(app, '/api/v1/agents', token)
  assert.deepEqual([failed.status, failed.headers.get('x-ratelimit-remaining')], [500, '97'])
})

test('200: `usage` names the limit of the address, which refuses before that of the key', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '9' } })
  const { apiKey } = await admitAgent(app, { tier: 'builder' })
  const { addressRpm, remaining } = await app.client({ apiKey }).usage()
  assert.equal(addressRpm, 9)
  assert(remaining.rpm > 9)
  const statuses: number[] = []
  for (let at = 0; at < 9; at += 1) {
    statuses.push((await call(app, `${AGENT}/metadata`, { 'x-api-key': apiKey })).status)
  }
  assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429])
})

test('401: answers to unknown credentials have no headers about limits', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app)
  const strangers = [{}, { 'x-api-key': `${apiKey.slice(0, -1)}_` }, { authorization: 'Bearer x.y.z' }]
  for (const headers of strangers) {
    for (const path of [`${AGENT}/metadata`, '/api/v1/agents']) {
      const response = await call(app, path, headers)
      assert.equal(response.status, 401)
      assert.deepEqual(
        limitsOf(response),
        NAMES.map(() => null),
      )
      assert(response.headers.get('www-authenticate'))
    }
  }
})

test('429: a request is admitted once Retry-After is over, and not a second earlier', async () => {
  await using app = await openTestApp({ env: ANY_NUMBER })
  app.clock.advance(12_345)
  const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 2, rpd: 4 } })
  const client = app.client({ apiKey })
  const waits: number[] = []
  for (const expected of ['minute', 'day'] as const) {
    await client.usage()
    await client.usage()
    const refused = await client.usage().then(
      () => undefined,
      (error) => error,
    )
    assert.equal(refused?.code, 'rate_limited')
    assert.equal(client.last?.headers.get('retry-after'), String(refused.retryAfterSeconds))
    assert.match(refused.message, new RegExp(expected))
    waits.push(refused.retryAfterSeconds)
    app.clock.advance((refused.retryAfterSeconds - 1) * 1000)
    await assert.rejects(client.usage(), { code: 'rate_limited', retryAfterSeconds: 1 })
    app.clock.advance(1000)
  }
  await client.usage()
  assert.deepEqual(waits, [48, 12 * 3600 - 60])
})

test('429: a limit of 0 is not promised to refill within the day', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app, { tier: 'pro', rateLimits: { rpm: 0, rpd: 10 } })
  await assert.rejects(app.client({ apiKey }).usage(), {
    code: 'rate_limited',
    retryAfterSeconds: 12 * 3600,
    message: /^The agent’s limit of 0 requests per minute.*Ask the operator/,
  })
})

test('200 usage: use, remainder and reset of both windows, and the features of the tier', async () => {
  await using app = await openTestApp()
  const { id, apiKey } = await admitAgent(app, { tier: 'builder' })
  await app.client({ apiKey }).metadata()
  assert.deepEqual(await app.client({ apiKey }).usage(), {
    tier: 'builder',
    limits: { rpm: 100, rpd: 1000 },
    used: { rpm: 2, rpd: 2 },
    remaining: { rpm: 98, rpd: 998 },
    addressRpm: 100,
    resetAt: { minute: '2026-06-15T12:01:00.000Z', day: '2026-06-16T00:00:00.000Z' },
    features: { visibleValidators: 25, rebalancing: true },
  })
  const admin = app.client({ token: await userToken(app, 'admin@example.com', 'admin') })
  await admin.updateAgent({ id, rateLimits: { rpm: 5, rpd: 7 } })
  const { data } = await admin.rotateKey({ id })
  const after = await app.client({ apiKey: data.apiKey }).usage()
  assert.deepEqual(
    [after.limits, after.used],
    [
      { rpm: 5, rpd: 7 },
      { rpm: 3, rpd: 3 },
    ],
  )
})
