import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailedToken, registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { changeStore } from '../support/test-store.ts'

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

test('403: all spellings of a mailbox together have the agents of one owner', async () => {
  await using app = await openTestApp({
    env: { ...ENV, LIMIT_REGISTER_IP_HOUR: '100', LIMIT_REGISTER_IP_DAY: '100' },
  })
  const spellings = ['ann@example.com', 'ann+1@example.com', 'Ann+two@example.com']
  const users = []
  for (const email of spellings) users.push(app.client({ token: await signIn(app, email.toLowerCase()) }))
  const asked = users.flatMap((user) => [0, 1, 2].map(() => user.registerAgent({ agentName: 'x' })))
  const done = await Promise.allSettled(asked)
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 3)
  for (const user of users)
    await assert.rejects(user.registerAgent({ agentName: 'x' }), { message: /may have 3 agents/ })
  const gmail = []
  for (const email of ['bo.b@gmail.com', 'bob@googlemail.com'])
    gmail.push(app.client({ token: await signIn(app, email) }))
  for (const user of [...gmail, gmail[0]]) await user?.registerAgent({ agentName: 'x' })
  await assert.rejects(gmail[1]?.registerAgent({ agentName: 'x' }) ?? assert.fail(), { code: 'forbidden' })
  // A tag is no way around the quota of a revoked agent.
  const revoked = await registerAgent(app, { email: 'eve+1@example.com' })
  for (let count = 1; count <= 4; count += 1) assert.equal(await usedOf(app, revoked.apiKey), count)
  await app.client({ apiKey: revoked.apiKey }).revokeSelf()
  const next = await registerAgent(app, { email: 'eve+2@example.com' })
  assert((await usedOf(app, next.apiKey)) > 4)
  // Others of the same domain have their own limit.
  await app.client({ token: await signIn(app, 'ann1@example.com') }).registerAgent({ agentName: 'x' })
})

test('403: agents of a store from before mailboxes were stored count for their mailbox, too', async () => {
  await using app = await openTestApp({ env: ENV })
  for (const email of ['ann+1@example.com', 'ann+2@example.com', ANN]) await registerAgent(app, { email })
  await app.stop()
  for (const change of [
    'drop index agents_by_mailbox',
    'alter table agents drop column mailbox',
    "delete from migrations where name >= '0011'",
  ])
    await changeStore(app.folder, change)
  await using again = await openTestApp({ folder: app.folder, clock: app.clock, env: ENV })
  const other = again.client({ token: await signIn(again, 'ann+3@example.com') })
  await assert.rejects(other.registerAgent({ agentName: 'x' }), { code: 'forbidden' })
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
