import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailedToken, registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const ANN = 'ann@example.com'
const ADMIN = 'root@example.com'
const ENV = { LIMIT_AGENTS_PER_OWNER: '3', ADMIN_EMAILS: ADMIN, TRUST_PROXY_HOPS: '1' }

const annOf = async (app: TestApp) => app.client({ token: await signIn(app, ANN) })
const usedOf = async (app: TestApp, apiKey: string) => (await app.client({ apiKey }).usage()).used.rpd

test('403: an owner has at most the configured number of agents, however many are requested at once', async () => {
  await using app = await openTestApp({ env: ENV })
  const ann = await annOf(app)
  const asked = Array.from({ length: 8 }, () => ann.registerAgent({ agentName: 'x' }))
  const done = await Promise.allSettled(asked)
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 3)
  await assert.rejects(ann.registerAgent({ agentName: 'x' }), {
    code: 'forbidden',
    message: /may have 3 agents/,
  })
  // Other owners have their own limit, and an admin is not bound by it.
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  await bob.registerAgent({ agentName: 'x' })
  const admin = app.client({ token: await signIn(app, ADMIN) })
  await admin.registerAgent({ agentName: 'x', email: ANN })
})

test('403: a revoked agent counts until the end of the day', async () => {
  await using app = await openTestApp({ env: ENV })
  const ann = await annOf(app)
  for (let round = 0; round < 3; round += 1) {
    const { data } = await ann.registerAgent({ agentName: 'x' })
    await ann.revokeAgent({ id: data.id })
  }
  await assert.rejects(ann.registerAgent({ agentName: 'x' }), { code: 'forbidden' })
  app.clock.advance(86_400_000)
  const later = await annOf(app)
  await later.registerAgent({ agentName: 'x' })
})

test('an agent that is registered again does not refill its quota', async () => {
  await using app = await openTestApp({ env: ENV })
  const ann = await annOf(app)
  const first = (await ann.registerAgent({ agentName: 'x' })).data
  for (let count = 1; count <= 5; count += 1) assert.equal(await usedOf(app, first.apiKey), count)
  await ann.revokeAgent({ id: first.id })
  const second = (await ann.registerAgent({ agentName: 'x' })).data
  assert.equal((await ann.listAgents()).data.find(({ id }) => id === second.id)?.lastUsedAt, null)
  assert.equal(await usedOf(app, second.apiKey), 6)
  await ann.revokeAgent({ id: second.id })
  // Neither does one that registers itself by mail.
  const third = await registerAgent(app, { email: ANN })
  assert.equal(await usedOf(app, third.apiKey), 7)
  // An agent of another owner has its own quota.
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  const other = (await bob.registerAgent({ agentName: 'x' })).data
  assert.equal(await usedOf(app, other.apiKey), 1)
})

test('403: agents that strangers register with the address do not count; the link refuses one too many', async () => {
  await using app = await openTestApp({ env: ENV })
  for (let stranger = 1; stranger <= 4; stranger += 1) {
    const made = await fetch(`${app.url}/api/v1/agents/self-register`, {
      method: 'POST',
      headers: { 'x-forwarded-for': `192.0.2.${stranger}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: ANN, agentName: 'not hers' }),
    })
    assert.equal(made.status, 201)
  }
  const token = await mailedToken(app, ANN)
  const ann = await annOf(app)
  for (let count = 0; count < 3; count += 1) await ann.registerAgent({ agentName: 'x' })
  await assert.rejects(app.client().verifyEmail({ token }), {
    code: 'forbidden',
    message: /may have 3 agents/,
  })
})
