import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { User } from '#ports/stores/users.ts'
import { DAY_MS } from '../../src/durations.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'
import { ADMIN, newAgent, openIdentity, registration, userOf } from './identity.ts'

const ANN = userOf('ann@example.com')
const BOB = userOf('bob@example.com')
const NO_ADDRESS: User = { id: 'issuer|1', email: undefined, role: 'user' }
const ALL = { all: true, cursor: undefined, limit: 100 }
const OWN = { all: false, cursor: undefined, limit: 100 }

async function openEmpty() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const clock = testClock()
  const identity = opened.use(await openIdentity(folder.path, { clock }))
  const resources = opened.move()
  return { ...identity, clock, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

suite('registering as a user', () => {
  test('a user’s own agent of tier free or builder is active at once', async () => {
    await using identity = await openEmpty()
    for (const [tier, limits] of [
      ['free', { rpm: 10, rpd: 100 }],
      ['builder', { rpm: 100, rpd: 1_000 }],
    ] as const) {
      const { agent, apiKey } = await identity.registerAgent(
        ANN,
        newAgent({ tier, email: 'ANN@example.com' }),
      )
      assert.equal(agent.owner, 'ann@example.com')
      assert.equal(agent.status, 'active')
      assert.equal(agent.identityTier, 'user_linked')
      assert.deepEqual(agent.limits, limits)
      assert.equal(await identity.works(apiKey), true)
    }
    assert.deepEqual(await identity.mails(), [])
  })

  test('403: each option that only admins may set is refused by name, and nothing is registered', async () => {
    await using identity = await openEmpty()
    const { agent } = await identity.registerAgent(ANN, newAgent())
    for (const [wish, named] of [
      [{ tier: 'pro' }, /pro/],
      [{ tier: 'enterprise' }, /enterprise/],
      [{ rateLimits: { rpm: 1, rpd: 1 } }, /rate limits/],
      [{ email: 'bob@example.com' }, /other e-mail addresses/],
      [{ replaces: agent.id }, /promote/],
      [{ replaces: 'unknown' }, /promote/],
    ] as const) {
      await assert.rejects(identity.registerAgent(ANN, newAgent(wish)), { code: 'forbidden', message: named })
    }
    assert.equal((await identity.listAgents(ADMIN, ALL)).agents.length, 1)
    assert.equal((await identity.listAgents(ANN, OWN)).agents[0]?.status, 'active')
  })

  test('a user without a proven e-mail address cannot register, and owns no agents', async () => {
    await using identity = await openEmpty()
    await assert.rejects(identity.registerAgent(NO_ADDRESS, newAgent()), { code: 'forbidden' })
    assert.deepEqual(await identity.listAgents(NO_ADDRESS, OWN), { agents: [], next: undefined })
    await assert.rejects(identity.rotateKey(NO_ADDRESS, 'x', 0), { code: 'not_found' })
    await assert.rejects(identity.revokeAgent(NO_ADDRESS, 'x'), { code: 'not_found' })
  })
})

suite('registering as an admin', () => {
  test('an admin may set tier, owner and limits', async () => {
    await using identity = await openEmpty()
    const wishes = { tier: 'enterprise', email: 'Bob@example.com', rateLimits: { rpm: 7, rpd: 8 } } as const
    const { agent } = await identity.registerAgent(ADMIN, newAgent(wishes))
    assert.equal(agent.owner, 'bob@example.com')
    assert.equal(agent.identityTier, 'admin_verified')
    assert.deepEqual(agent.limits, { rpm: 7, rpd: 8 })
    assert.equal((await identity.listAgents(BOB, OWN)).agents[0]?.id, agent.id)
  })

  test('a promotion keeps the owner, and the old key is dead as soon as the new one exists', async () => {
    await using identity = await openEmpty()
    const old = await identity.registerAgent(ANN, newAgent())
    const promotion = newAgent({ tier: 'pro', replaces: old.agent.id })
    const { agent, apiKey } = await identity.registerAgent(ADMIN, promotion)
    assert.equal(agent.owner, 'ann@example.com')
    assert.equal(agent.tier, 'pro')
    assert.equal(await identity.works(old.apiKey), false)
    assert.equal(await identity.works(apiKey), true)
    await assert.rejects(identity.registerAgent(ADMIN, promotion), { code: 'not_found' })
    const missing = newAgent({ replaces: 'unknown' })
    await assert.rejects(identity.registerAgent(ADMIN, missing), { code: 'not_found' })
    assert.equal((await identity.listAgents(ADMIN, ALL)).agents.length, 2)
  })

  test('of ten promotions of one agent at once, one succeeds', async () => {
    await using identity = await openEmpty()
    const old = await identity.registerAgent(ANN, newAgent())
    const promotion = newAgent({ tier: 'pro', replaces: old.agent.id })
    const attempts = Array.from({ length: 10 }, () => identity.registerAgent(ADMIN, promotion))
    const results = await Promise.allSettled(attempts)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('an admin without an address must name the owner', async () => {
    await using identity = await openEmpty()
    const admin: User = { id: 'issuer|1', email: undefined, role: 'admin' }
    await assert.rejects(identity.registerAgent(admin, newAgent()), {
      code: 'invalid_input',
      details: [{ field: 'email', message: 'is required: your token has no verified e-mail address' }],
    })
    await identity.registerAgent(admin, newAgent({ email: 'ann@example.com' }))
  })
})

suite('foreign agents', () => {
  test('404: are refused to other users exactly like missing ones', async () => {
    await using identity = await openEmpty()
    const { agent, apiKey } = await identity.registerAgent(ANN, newAgent())
    const refusalOf = (work: Promise<unknown>) =>
      work.then(
        () => assert.fail('it was not refused'),
        ({ code, message }) => ({ code, message }),
      )
    for (const attempt of [
      (id: string) => identity.rotateKey(BOB, id, 0),
      (id: string) => identity.revokeAgent(BOB, id),
    ]) {
      const foreign = await refusalOf(attempt(agent.id))
      assert.equal(foreign.code, 'not_found')
      for (const id of ['agt_0000000000000000000000', '', "'"]) {
        assert.deepEqual(await refusalOf(attempt(id)), foreign)
      }
    }
    assert.equal(await identity.works(apiKey), true)
    assert.deepEqual(await identity.listAgents(BOB, OWN), { agents: [], next: undefined })
    const asCursor = identity.listAgents(BOB, { ...OWN, cursor: agent.id })
    await assert.rejects(asCursor, { code: 'invalid_input' })
  })

  test('can be listed, rotated and revoked by admins only', async () => {
    await using identity = await openEmpty()
    const { agent } = await identity.registerAgent(ANN, newAgent())
    await assert.rejects(identity.listAgents(BOB, ALL), { code: 'forbidden' })
    assert.deepEqual(await identity.listAgents(ADMIN, OWN), { agents: [], next: undefined })
    assert.equal((await identity.listAgents(ADMIN, ALL)).agents[0]?.id, agent.id)
    const rotated = await identity.rotateKey(ADMIN, agent.id, 0)
    assert.equal(await identity.works(rotated.apiKey), true)
    await identity.revokeAgent(ADMIN, agent.id)
    assert.equal(await identity.works(rotated.apiKey), false)
  })
})

suite('rotation and revocation', () => {
  test('the old key is dead at once, or exactly when the grace period ends', async () => {
    await using identity = await openEmpty()
    const { agent, apiKey } = await identity.registerAgent(ANN, newAgent())
    const second = await identity.rotateKey(ANN, agent.id, 0)
    assert.equal(second.previousKeyExpiresAt, identity.clock.now())
    assert.equal(second.agent.rotatedAt, identity.clock.now())
    assert.equal(second.agent.keyPrefix, second.apiKey.slice(0, 12))
    assert.equal(await identity.works(apiKey), false)
    const third = await identity.rotateKey(ANN, agent.id, 3_600)
    identity.clock.set(third.previousKeyExpiresAt - 1)
    assert.equal(await identity.works(second.apiKey), true)
    identity.clock.advance(1)
    assert.equal(await identity.works(second.apiKey), false)
    assert.equal(await identity.works(third.apiKey), true)
  })

  test('404: the key of an agent that is not active cannot be rotated, and the message says why', async () => {
    await using identity = await openEmpty()
    const pending = await identity.selfRegister(registration('ann@example.com'))
    const rotate = () => identity.rotateKey(ANN, pending.agent.id, 0)
    await assert.rejects(rotate(), { code: 'not_found', message: /not verified yet/ })
    identity.clock.advance(DAY_MS)
    await assert.rejects(rotate(), { code: 'not_found', message: /expired/ })
    await identity.revokeAgent(ANN, pending.agent.id)
    await assert.rejects(rotate(), { code: 'not_found', message: /revoked/ })
  })

  test('a revocation may be repeated, and returns the same time each time', async () => {
    await using identity = await openEmpty()
    const { agent, apiKey } = await identity.registerAgent(ANN, newAgent())
    const first = await identity.revokeAgent(ANN, agent.id)
    identity.clock.advance(1_000)
    assert.deepEqual(await identity.revokeAgent(ANN, agent.id), first)
    assert.equal(await identity.works(apiKey), false)
  })
})

suite('changing agents', () => {
  test('403: only an admin may change agents, even their owner may not', async () => {
    await using identity = await openEmpty()
    const { agent } = await identity.registerAgent(ANN, newAgent())
    for (const id of [agent.id, 'unknown']) {
      const attempt = identity.updateAgent(ANN, id, { status: 'suspended', rateLimits: undefined })
      await assert.rejects(attempt, { code: 'forbidden' })
    }
    const missing = identity.updateAgent(ADMIN, 'unknown', { status: 'suspended', rateLimits: undefined })
    await assert.rejects(missing, { code: 'not_found' })
  })

  test('the key of a suspended agent is refused until the agent is resumed; both calls may be repeated', async () => {
    await using identity = await openEmpty()
    const { agent, apiKey } = await identity.registerAgent(ANN, newAgent())
    for (const status of ['suspended', 'suspended', 'active', 'active'] as const) {
      const changed = await identity.updateAgent(ADMIN, agent.id, { status, rateLimits: undefined })
      assert.equal(changed.status, status)
      assert.equal(await identity.works(apiKey), status === 'active')
    }
  })

  test('limits that an admin sets replace those of the tier', async () => {
    await using identity = await openEmpty()
    const { agent } = await identity.registerAgent(ANN, newAgent())
    const rateLimits = { rpm: 0, rpd: 5 }
    const limited = await identity.updateAgent(ADMIN, agent.id, { status: undefined, rateLimits })
    assert.deepEqual(limited.limits, rateLimits)
    assert.deepEqual((await identity.listAgents(ANN, OWN)).agents[0]?.limits, rateLimits)
  })

  test('a revoked agent cannot be resumed', async () => {
    await using identity = await openEmpty()
    const { agent } = await identity.registerAgent(ANN, newAgent())
    await identity.revokeAgent(ANN, agent.id)
    for (const status of ['active', 'suspended'] as const) {
      const attempt = identity.updateAgent(ADMIN, agent.id, { status, rateLimits: undefined })
      await assert.rejects(attempt, { code: 'invalid_input', message: /revoked/ })
    }
  })
})
