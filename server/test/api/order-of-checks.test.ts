import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitAgent } from '../support/admitted-agent.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const EPOCH = '/api/v1/staking/epoch'
const AGENT = '/api/v1/staking/agent'
const PLAN = { method: 'POST', body: '{"nonsense":true}' }

function sender(app: TestApp) {
  return async (from: string, path = EPOCH, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const all = { ...headers, 'x-forwarded-for': from, 'content-type': 'application/json' }
    return (await fetch(app.url + path, { ...init, headers: all })).status
  }
}

test('requests are checked in this order: HTTP, address, load, key, quota, tier, input', async () => {
  await using app = await openTestApp({
    env: { TRUST_PROXY_HOPS: '1', LIMIT_IP_RPM: '5', LIMIT_GLOBAL_RPM: '60' },
  })
  const send = sender(app)
  const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 1, rpd: 9 } })
  const { apiKey: spent } = await admitAgent(app, { rateLimits: { rpm: 1, rpd: 9 } })
  const tooLong = `${EPOCH}?${'x'.repeat(9_000)}`

  // Without a key: wrong tier and input are not looked at.
  assert.equal(await send('10.0.0.1', `${AGENT}/rebalance-plan`, {}, PLAN), 401)
  assert.equal(await send('10.0.0.1', `${AGENT}/usage`, { 'x-api-key': spent }), 200)
  assert.equal(await send('10.0.0.1', `${AGENT}/rebalance-plan`, { 'x-api-key': spent }, PLAN), 429)
  assert.equal(await send('10.0.0.1', `${AGENT}/rebalance-plan`, { 'x-api-key': apiKey }, PLAN), 403)

  // An address over its limit: refused before its key is checked, and after the HTTP is.
  for (let count = 0; count < 5; count += 1) await send('10.0.0.2')
  assert.equal(await send('10.0.0.2', `${AGENT}/usage`), 429)
  assert.equal(await send('10.0.0.2', tooLong), 414)

  // Over the limit of the whole service: without a valid key a request is refused; with one it uses the reserved
  // share and gets to its quota. An address over its own limit gets the refusal of that limit.
  for (let host = 1; host <= 12; host += 1)
    for (let count = 0; count < 5; count += 1) await send(`10.0.1.${host}`)
  assert.equal(await send('10.0.2.1', `${AGENT}/usage`), 503)
  assert.equal(await send('10.0.2.1', `${AGENT}/usage`, { 'x-api-key': 'no key' }), 503)
  assert.equal(await send('10.0.2.1', `${AGENT}/usage`, { 'x-api-key': spent }), 429)
  assert.equal(await send('10.0.0.2', `${AGENT}/usage`), 429)
})
