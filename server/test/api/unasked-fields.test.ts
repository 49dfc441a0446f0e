import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw } from '../support/raw-request.ts'
import { registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp } from '../support/test-app.ts'

const ANN = 'ann@example.com'

/** Fields that callers must not be able to set. */
const PRIVILEGES = {
  status: 'active',
  rateLimits: { rpm: 1_000_000, rpd: 1_000_000 },
  identityTier: 'admin_verified',
  permissions: ['read', 'write'],
  role: 'admin',
  owner: 'bob@example.com',
  id: 'agt_0000000000000000000000',
  apiKey: 'stk_x',
  keyPrefix: 'stk_x',
  verifiedAt: '2026-01-01T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  customLimits: null,
  constructor: {},
}

test('400: self-register takes no privilege', async () => {
  await using app = await openTestApp()
  const base = { email: ANN, agentName: 'x' }
  for (const [field, value] of Object.entries(PRIVILEGES)) {
    const json = { ...base, [field]: value }
    const answer = await sendRaw(app.url, 'POST /api/v1/agents/self-register', { json })
    assert.equal(answer.status, 400, field)
    assert(JSON.parse(answer.text).message.includes(field), answer.text)
  }
})

test('201: self-register ignores a requested tier: the key is free', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().selfRegister({ email: ANN, agentName: 'x', tier: 'enterprise' })
  assert.equal(data.tier, 'free')
  assert.deepEqual(data.rateLimits, { rpm: 10, rpd: 100 })
})

test('400, 403: register takes no privilege either', async () => {
  await using app = await openTestApp()
  const headers = ['Authorization', `Bearer ${await signIn(app, ANN)}`]
  for (const [field, value] of Object.entries(PRIVILEGES)) {
    const json = { agentName: 'x', [field]: value }
    const { status } = await sendRaw(app.url, 'POST /api/v1/agents/register', { headers, json })
    assert.equal(status, field === 'rateLimits' ? 403 : 400, field)
  }
  assert.deepEqual((await sendRaw(app.url, 'GET /api/v1/agents', { headers })).text.match(/"id"/g), null)
})

test('400: rotate changes the key and nothing else', async () => {
  await using app = await openTestApp()
  const { id, apiKey } = await registerAgent(app, { email: ANN })
  const headers = ['Authorization', `Bearer ${await signIn(app, ANN)}`]
  for (const [field, value] of Object.entries({ ...PRIVILEGES, tier: 'pro' })) {
    const json = { [field]: value }
    const { status } = await sendRaw(app.url, `POST /api/v1/agents/${id}/rotate`, { headers, json })
    assert.equal(status, 400, field)
  }
  await app.client({ apiKey }).metadata()
})

test('400: sign-in takes no role from the caller', async () => {
  await using app = await openTestApp()
  for (const target of ['POST /api/v1/auth/code', 'POST /api/v1/auth/token']) {
    const json = { email: ANN, code: '000000', role: 'admin' }
    assert.equal((await sendRaw(app.url, target, { json })).status, 400, target)
  }
})
