import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ADMIN = 'root@example.com'

test('200: the key is dead from the answer on, and so is one in its grace period', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const { data: rotated } = await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 3_600 })
  const { data } = await ann.revokeAgent({ id: agent.id })
  assert.deepEqual(data, {
    id: agent.id,
    status: 'revoked',
    revokedAt: new Date(app.clock.now()).toISOString(),
  })
  for (const { apiKey } of [agent, rotated]) {
    await assert.rejects(app.client({ apiKey }).metadata(), { code: 'unauthorized', message: /revoked/ })
  }
})

test('200: the agent’s named keys are revoked with it, and an expired one stays expired', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  await ann.createKey({ id: agent.id, name: 'lasting' })
  const expiresAt = new Date(app.clock.now() + 60_000).toISOString()
  await ann.createKey({ id: agent.id, name: 'short', expiresAt })
  app.clock.advance(120_000)
  const shown = async () =>
    (await ann.listKeys({ id: agent.id })).data
      .map(({ name, status, revokedAt }) => [name, status, revokedAt])
      .sort()
  assert.deepEqual(await shown(), [
    ['lasting', 'active', null],
    ['short', 'expired', null],
  ])
  const { data } = await ann.revokeAgent({ id: agent.id })
  assert.deepEqual(await shown(), [
    ['lasting', 'revoked', data.revokedAt],
    ['short', 'expired', null],
  ])
})

test('200: a repeat answers with the time of the first revocation', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const first = await ann.revokeAgent({ id: agent.id })
  app.clock.advance(5_000)
  const again = await Promise.all([1, 2, 3].map(() => ann.revokeAgent({ id: agent.id })))
  for (const answer of again) assert.deepEqual(answer, first)
})

test('200: an agent that waits for its verification can be revoked', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN, isVerified: false })
  await app.client({ token: await signIn(app, ANN) }).revokeAgent({ id: agent.id })
  await assert.rejects(app.client({ apiKey: agent.apiKey }).metadata(), { message: /revoked/ })
})

test('200: an admin revokes any agent, even a suspended one', async () => {
  await using app = await openTestApp({ env: { ADMIN_EMAILS: ADMIN } })
  const agent = await registerAgent(app, { email: ANN })
  const admin = app.client({ token: await signIn(app, ADMIN) })
  await admin.updateAgent({ id: agent.id, status: 'suspended' })
  await admin.revokeAgent({ id: agent.id })
  await assert.rejects(app.client({ apiKey: agent.apiKey }).metadata(), { message: /revoked/ })
})

test('200: nothing brings a revoked agent back', async () => {
  await using app = await openTestApp({ env: { ADMIN_EMAILS: ADMIN } })
  const agent = await registerAgent(app, { email: ANN })
  const admin = app.client({ token: await signIn(app, ADMIN) })
  await admin.revokeAgent({ id: agent.id })
  for (const status of ['active', 'suspended'] as const) {
    await assert.rejects(admin.updateAgent({ id: agent.id, status }), { code: 'invalid_input' })
  }
  await assert.rejects(admin.rotateKey({ id: agent.id }), { code: 'not_found' })
  await assert.rejects(app.client({ apiKey: agent.apiKey }).metadata(), { message: /revoked/ })
})
