import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { rawClient } from '../edge/raw-client.ts'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const ENV = { TRUST_PROXY_HOPS: '1', LIMIT_IP_RPM: '20', LIMIT_GLOBAL_RPM: '40' }
const USAGE = '/api/v1/staking/agent/usage'
const EPOCH = '/api/v1/staking/epoch'

/** Keys that have the form of ours, and that nobody has. */
const forgery = openSecrets({ keyPrefix: 'stk', pepper: 'somebody else’s pepper, of no use here' })

function sender(app: TestApp) {
  let host = 0
  const send = async (path: string, headers: Record<string, string> = {}) => {
    host += 1
    const from = { 'x-forwarded-for': `10.1.${host >> 8}.${host & 255}` }
    return (await fetch(app.url + path, { headers: { ...from, ...headers } })).status
  }
  const flood = async (count: number, path: string, headers: () => Record<string, string> = () => ({})) => {
    const found = new Map<number, number>()
    for (let sent = 0; sent < count; sent += 1) {
      const status = await send(path, headers())
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

test('200: bytes that are no request close it for strangers only', async () => {
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

test('200: an agent that comes for the first time during a flood is let in, too', async () => {
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
