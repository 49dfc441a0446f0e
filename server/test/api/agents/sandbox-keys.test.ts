import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOW } from '../../fake-full-node/sample-network.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { signIn } from '../../support/registered-agent.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp } from '../../support/test-app.ts'
import { testClock } from '../../support/test-clock.ts'

const TARGET = 'POST /api/v1/sandbox/keys'
const env = { TRUST_PROXY_HOPS: '1', LIMIT_IP_RPM: '100000' }

test('201: a builder key that works at once, without a mail', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const { data } = await client.sandboxKey({ agentName: 'first-steps' })
  assert.equal(client.last?.status, 201)
  assert.match(data.apiKey, /^stk_[0-9A-Za-z]{46}$/)
  assert.deepEqual([data.tier, data.status], ['builder', 'active'])
  assert.deepEqual(data.rateLimits, { rpm: 1_000, rpd: 100_000 }, 'more than builders have elsewhere')
  assert.match(data.warning, /One address may send 100 requests a minute, whatever keys it uses/)
  const { features, limits } = await app.client({ apiKey: data.apiKey }).usage()
  assert.deepEqual(limits, data.rateLimits)
  assert.equal(features.rebalancing, true)
  await app.runJob('deliver-mail')
  assert.deepEqual(await readMails(app.folder), [])
})

test('429: a hundred keys an hour from one address, apart from self-registration', async () => {
  await using app = await openTestApp({ env })
  const ask = (ip: string) =>
    sendRaw(app.url, TARGET, { headers: ['X-Forwarded-For', ip], json: { agentName: 'x' } })
  const answers = await Promise.all(Array.from({ length: 105 }, () => ask('192.0.2.1')))
  assert.equal(answers.filter(({ status }) => status === 201).length, 100)
  const refused = await ask('192.0.2.1')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '3600')
  assert.equal((await ask('192.0.2.2')).status, 201)
  const json = { email: 'ann@example.com', agentName: 'x' }
  const registered = await sendRaw(app.url, 'POST /api/v1/agents/self-register', {
    headers: ['X-Forwarded-For', '192.0.2.1'],
    json,
  })
  assert.equal(registered.status, 201)
})

test('400: the name is the only input, and it is checked', async () => {
  await using app = await openTestApp()
  for (const json of [{}, { agentName: '' }, { agentName: 'x', tier: 'enterprise' }]) {
    assert.equal((await sendRaw(app.url, TARGET, { json })).status, 400)
  }
})

test('a sandbox agent belongs to no user', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'x' })
  const user = app.client({ token: await signIn(app, 'sandbox@example.com') })
  assert.deepEqual((await user.listAgents()).data, [])
  await assert.rejects(user.revokeAgent({ id: data.id }), { code: 'not_found' })
})

test('404 on a real network, where sandbox keys of an earlier start are revoked', async () => {
  await using first = await openTestApp({ clock: testClock(NOW) })
  const { data } = await first.client().sandboxKey({ agentName: 'x' })
  await first.stop()
  // No node answers: the key must be refused before chain data are needed.
  const onChain = { NETWORK: 'ika', SUI_RPC_URLS: 'http://127.0.0.1:1', REFRESH_MS: '30000' }
  await using second = await openTestApp({ folder: first.folder, clock: first.clock, env: onChain })
  for (const [target, json] of [
    [TARGET, { agentName: 'x' }],
    ['POST /api/v1/sandbox/execute', { sender: `0x${'1'.repeat(64)}`, commands: [] }],
    ['POST /api/v1/sandbox/advance', { epochs: 1 }],
  ] as const) {
    const headers = ['X-API-Key', data.apiKey]
    assert.equal((await sendRaw(second.url, target, { headers, json })).status, 404, target)
  }
  await assert.rejects(second.client({ apiKey: data.apiKey }).usage(), {
    code: 'unauthorized',
    message: /revoked/,
  })
})
