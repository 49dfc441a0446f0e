import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RegisteredAgent, registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { changeStore } from '../../support/test-store.ts'

const ANN = 'ann@example.com'
const DEAD = { code: 'unauthorized' }

async function openWithAgent() {
  const app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  return { app, agent, ann, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const use = (app: TestApp, { apiKey }: Pick<RegisteredAgent, 'apiKey'>) => app.client({ apiKey }).metadata()

test('200: the new key works and the old one does not, from the answer on', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const { data } = await ann.rotateKey({ id: agent.id })
  assert.equal(data.id, agent.id)
  assert.notEqual(data.apiKey, agent.apiKey)
  assert.equal(data.keyPrefix, data.apiKey.slice(0, 12))
  assert.equal(data.status, 'active')
  assert.equal(data.previousKeyExpiresAt, new Date(app.clock.now()).toISOString())
  await use(app, data)
  await assert.rejects(use(app, agent), { code: 'unauthorized', message: /replaced by rotation/ })
  const [listed] = (await ann.listAgents()).data
  assert.equal(listed?.keyPrefix, data.keyPrefix)
  assert.equal(listed?.rotatedAt, new Date(app.clock.now()).toISOString())
})

test('200: with a grace period the old key ends exactly when it says, and the one before at once', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const second = (await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 60 })).data
  await use(app, agent)
  const third = (await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 60 })).data
  await assert.rejects(use(app, agent), { code: 'unauthorized' })
  app.clock.set(Date.parse(third.previousKeyExpiresAt) - 1)
  await use(app, second)
  app.clock.advance(1)
  await assert.rejects(use(app, second), { message: /replaced by rotation/ })
  await use(app, third)
})

test('200: the agent shows its old key while that works, and the owner can end it early', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const previous = async () => (await ann.readAgent({ id: agent.id })).data.previousKey
  assert.equal(await previous(), null, 'never rotated')
  const second = (await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 60 })).data
  const shown = {
    id: 'previous',
    keyPrefix: agent.apiKey.slice(0, 12),
    expiresAt: second.previousKeyExpiresAt,
  }
  assert.deepEqual(await previous(), shown)
  assert.deepEqual((await ann.listAgents()).data[0]?.previousKey, shown)
  app.clock.set(Date.parse(second.previousKeyExpiresAt))
  assert.equal(await previous(), null, 'its time is over')
  await assert.rejects(ann.revokeKey({ id: agent.id, keyId: 'previous' }), { code: 'not_found' })

  const third = (await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 3600 })).data
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  await assert.rejects(bob.revokeKey({ id: agent.id, keyId: 'previous' }), { code: 'not_found' })
  await use(app, second)
  const ended = await ann.revokeKey({ id: agent.id, keyId: 'previous' })
  await assert.rejects(use(app, second), { code: 'unauthorized', message: /replaced by rotation/ })
  await use(app, third)
  assert.equal(await previous(), null, 'ended by its owner')
  app.clock.advance(1)
  assert.deepEqual(await ann.revokeKey({ id: agent.id, keyId: 'previous' }), ended, 'it may be repeated')
  const { data } = await ann.agentAudit({ id: agent.id })
  assert.deepEqual(
    data.flatMap(({ action, key }) => (action === null ? [] : [[action, key?.prefix]])).slice(0, 2),
    [
      ['revoke-key', second.keyPrefix],
      ['rotate', third.keyPrefix],
    ],
  )

  await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 3600 })
  await ann.revokeAgent({ id: agent.id })
  assert.equal(await previous(), null, 'a revoked agent has no key that works')
})

test('200: the owner ends an old key even if the database says that it has ended', async () => {
  for (const change of ['revoked_at = 1', 'valid_until = 1', 'valid_until = 0, revoked_at = 1']) {
    await using opened = await openWithAgent()
    const { app, agent, ann } = opened
    const { previousKeyExpiresAt } = (await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 3600 })).data
    const changeOld = (set: string) =>
      changeStore(app.folder, `update agent_keys set ${set} where valid_until is not null`)
    await changeOld(change)
    await ann.revokeKey({ id: agent.id, keyId: 'previous' })
    await changeOld(`revoked_at = null, valid_until = ${Date.parse(previousKeyExpiresAt)}`)
    await assert.rejects(use(app, agent), { code: 'unauthorized' }, change)
  }
})

test('200: a clock that steps back revives no old key', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  app.clock.advance(3_000)
  await ann.rotateKey({ id: agent.id })
  app.clock.advance(-3_000)
  await assert.rejects(use(app, agent), { code: 'unauthorized' })
})

test('200: a rotation without a grace period ends one that was granted before', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const second = (await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 604_800 })).data
  const third = (await ann.rotateKey({ id: agent.id })).data
  for (const key of [agent, second]) await assert.rejects(use(app, key), { code: 'unauthorized' })
  await use(app, third)
})

test('200: of twenty simultaneous rotations exactly one key works', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const rotations = Array.from({ length: 20 }, () => ann.rotateKey({ id: agent.id }))
  const keys = (await Promise.all(rotations)).map(({ data }) => data)
  const results = await Promise.allSettled([agent, ...keys].map((key) => use(app, key)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  const [listed] = (await ann.listAgents()).data
  const live = keys.find((_, index) => results[index + 1]?.status === 'fulfilled')
  assert.equal(listed?.keyPrefix, live?.keyPrefix)
})

test('200: under load no request that starts after the answer is admitted with the old key', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '100000', ADMIN_EMAILS: 'root@example.com' } })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const rateLimits = { rpm: 100_000, rpd: 100_000 }
  const { data: agent } = await admin.registerAgent({ agentName: 'x', rateLimits })
  let live = agent.apiKey
  const rounds = 20
  for (let round = 0; round < rounds; round += 1) {
    const old = live
    const inFlight = Array.from({ length: 20 }, () => use(app, { apiKey: old }).catch(() => undefined))
    live = (await admin.rotateKey({ id: agent.id })).data.apiKey
    const late = Array.from({ length: 10 }, () => assert.rejects(use(app, { apiKey: old }), DEAD))
    await Promise.all([...inFlight, ...late, use(app, { apiKey: live })])
  }
})

test('200: rotation resets no quota', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  for (let request = 0; request < 9; request += 1) await use(app, agent)
  const { data } = await ann.rotateKey({ id: agent.id })
  await use(app, data)
  await assert.rejects(use(app, data), { code: 'rate_limited' })
})

test('400: an invalid grace period', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  for (const gracePeriodSeconds of [-1, 0.5, 604_801, Number.NaN]) {
    await assert.rejects(ann.rotateKey({ id: agent.id, gracePeriodSeconds }), { code: 'invalid_input' })
  }
  await use(app, agent)
})

test('404: an agent that is not active has no key to replace, and its owner is told why', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const pending = await registerAgent(app, { email: ANN, isVerified: false })
  await assert.rejects(ann.rotateKey({ id: pending.id }), { status: 404, message: /not verified yet/ })
  await ann.revokeAgent({ id: agent.id })
  await assert.rejects(ann.rotateKey({ id: agent.id }), { status: 404, message: /revoked/ })
})
