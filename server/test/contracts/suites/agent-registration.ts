import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import { DAY_MS, HOUR_MS } from '../../../src/durations.ts'
import {
  active,
  EVERYBODY,
  hourLimit,
  link,
  NOW,
  type Opened,
  OWNER,
  pending,
  recordOf,
  STRANGER,
  selfRegistration,
} from './sample-agents.ts'

export function registrationTests(open: () => Promise<Opened>): void {
  test('an agent is read back with every field as it was registered', async () => {
    await using store = await open()
    for (const agent of [active('a'), pending('b')]) {
      assert.deepEqual(await store.agents.register(agent, undefined), { kind: 'registered' })
      const { key, ...rest } = agent
      const untouched = { lastUsedAt: undefined, rotatedAt: undefined, revokedAt: undefined }
      assert.deepEqual(await store.agents.find(OWNER, agent.id), {
        ...rest,
        ...untouched,
        keyPrefix: key.prefix,
      })
    }
  })

  test('a key works from its registration if the agent is active, and not while it is pending', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    await store.agents.selfRegister(selfRegistration('b'))
    assert.equal(await store.keyWorks('key of a', NOW), true)
    assert.equal(await store.keyWorks('key of b', NOW), false)
    assert.deepEqual(await store.recipients(), [OWNER.owner])
  })

  test('a registration that fails leaves no agent and no mail, and uses up no limit', async () => {
    await using store = await open()
    await store.agents.selfRegister(selfRegistration('a', { limits: [hourLimit(2)] }))
    const sameToken = { ...link('a', OWNER.owner), token: { digest: 'token of a', expiresAt: NOW } }
    await assert.rejects(
      store.agents.selfRegister(selfRegistration('b', { ...sameToken, limits: [hourLimit(2)] })),
    )
    assert.equal(await store.agents.find(EVERYBODY, 'b'), undefined)
    assert.deepEqual(await store.recipients(), [OWNER.owner])
    const second = await store.agents.selfRegister(selfRegistration('c', { limits: [hourLimit(2)] }))
    assert.deepEqual(second, { kind: 'registered' })
  })

  test('an agent registered within limits works at once, and the limit refuses the next one', async () => {
    await using store = await open()
    const limits = [hourLimit(1)]
    assert.deepEqual(await store.agents.registerWithin(active('a'), limits, recordOf('self-register')), {
      kind: 'registered',
    })
    assert.equal(await store.keyWorks('key of a', NOW), true)
    const refused = { kind: 'limited', by: 'ip-hour', retryAt: NOW + HOUR_MS }
    assert.deepEqual(
      await store.agents.registerWithin(active('b'), limits, recordOf('self-register')),
      refused,
    )
    assert.equal(await store.agents.find(EVERYBODY, 'b'), undefined)
    assert.deepEqual(await store.recipients(), [])
  })

  test('revoking all agents of an owner ends their keys and nobody else’s', async () => {
    await using store = await open()
    for (const id of ['a', 'b', 'd']) await store.agents.register(active(id), undefined)
    await store.agents.register(active('c', { owner: STRANGER.owner }), undefined)
    await store.agents.revoke(OWNER, 'a', TRANSITIONS.revoke, NOW)
    assert.equal(
      await store.agents.revokeAll(OWNER.owner, TRANSITIONS.revoke, NOW + 1, recordOf('revoke')),
      2,
    )
    const working = ['a', 'b', 'c', 'd'].map((id) => store.keyWorks(`key of ${id}`, NOW + 1))
    assert.deepEqual(await Promise.all(working), [false, false, true, false])
    assert.equal((await store.agents.find(OWNER, 'a'))?.revokedAt, NOW)
    assert.equal((await store.agents.find(OWNER, 'b'))?.revokedAt, NOW + 1)
  })

  test('a replaced agent loses its key in the commit that registers its replacement', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    const replaced = { id: 'a', step: TRANSITIONS.revoke }
    assert.equal(
      (await store.agents.register(active('b', { createdAt: NOW + 5 }), replaced)).kind,
      'registered',
    )
    assert.equal(await store.keyWorks('key of a', NOW), false)
    assert.equal(await store.keyWorks('key of b', NOW), true)
    const old = await store.agents.find(OWNER, 'a')
    assert.equal(old?.storedStatus, 'revoked')
    assert.equal(old?.revokedAt, NOW + 5)
  })

  test('nothing is registered in place of an agent that does not exist or is revoked', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    await store.agents.revoke(OWNER, 'a', TRANSITIONS.revoke, NOW)
    for (const id of ['a', 'unknown']) {
      const outcome = await store.agents.register(active('b'), { id, step: TRANSITIONS.revoke })
      assert.deepEqual(outcome, { kind: 'replaced_agent_not_found' })
      assert.equal(await store.agents.find(EVERYBODY, 'b'), undefined)
      assert.equal(await store.keyWorks('key of b', NOW), false)
    }
  })
}

export function verificationTests(open: () => Promise<Opened>): void {
  test('a link works to the last millisecond before its end, and not at it', async () => {
    for (const [now, expected] of [
      [NOW + DAY_MS - 1, 'active'],
      [NOW + DAY_MS, undefined],
    ] as const) {
      await using store = await open()
      await store.agents.selfRegister(selfRegistration('a'))
      const outcome = await store.agents.verify('token of a', TRANSITIONS.verify, now, recordOf('activate'))
      assert.equal(outcome.kind, expected === 'active' ? 'verified' : 'unusable')
      assert.equal(outcome.kind === 'verified' ? outcome.agent.storedStatus : undefined, expected)
      assert.equal(await store.keyWorks('key of a', now), expected === 'active')
    }
  })

  test('ten simultaneous uses of a link activate the agent once, and all return the same', async () => {
    await using store = await open()
    await store.agents.selfRegister(selfRegistration('a'))
    // Each use has its own time, which shows the one that activated the agent; it may be any of them.
    const moments = Array.from({ length: 10 }, (_, index) => NOW + index)
    const results = await Promise.all(
      moments.map((moment) =>
        store.agents.verify('token of a', TRANSITIONS.verify, moment, recordOf('activate')),
      ),
    )
    const [first] = results
    for (const result of results) assert.deepEqual(result, first)
    assert(first?.kind === 'verified')
    const { verifiedAt, identityTier } = first.agent
    assert(verifiedAt !== undefined && moments.includes(verifiedAt))
    assert.equal(identityTier, 'email_verified')
    assert.deepEqual(
      await store.agents.verify('token of a', TRANSITIONS.verify, NOW + 10, recordOf('activate')),
      first,
    )
    assert.deepEqual(await store.agents.find(OWNER, 'a'), first.agent)
  })

  test('a link that was used works again until it expires, and not after that', async () => {
    await using store = await open()
    await store.agents.selfRegister(selfRegistration('a'))
    const first = await store.agents.verify('token of a', TRANSITIONS.verify, NOW, recordOf('activate'))
    const last = NOW + DAY_MS - 1
    assert.deepEqual(
      await store.agents.verify('token of a', TRANSITIONS.verify, last, recordOf('activate')),
      first,
    )
    assert.deepEqual(
      await store.agents.verify('token of a', TRANSITIONS.verify, last + 1, recordOf('activate')),
      { kind: 'unusable' },
    )
    assert.equal(await store.keyWorks('key of a', last + 1), true)
  })

  test('no link brings a revoked or suspended agent back', async () => {
    await using store = await open()
    for (const id of ['never used', 'used', 'suspended'])
      await store.agents.selfRegister(selfRegistration(id))
    for (const id of ['used', 'suspended'])
      await store.agents.verify(`token of ${id}`, TRANSITIONS.verify, NOW, recordOf('activate'))
    await store.agents.revoke(OWNER, 'never used', TRANSITIONS.revoke, NOW)
    await store.agents.revoke(OWNER, 'used', TRANSITIONS.revoke, NOW)
    await store.agents.update('suspended', { step: TRANSITIONS.suspend, limits: undefined })
    for (const id of ['never used', 'used', 'suspended']) {
      assert.deepEqual(
        await store.agents.verify(`token of ${id}`, TRANSITIONS.verify, NOW, recordOf('activate')),
        { kind: 'unusable' },
      )
      assert.equal(await store.keyWorks(`key of ${id}`, NOW), false)
    }
  })

  test('an unknown token does nothing', async () => {
    await using store = await open()
    await store.agents.selfRegister(selfRegistration('a'))
    assert.deepEqual(await store.agents.verify('unknown', TRANSITIONS.verify, NOW, recordOf('activate')), {
      kind: 'unusable',
    })
    assert.equal((await store.agents.find(OWNER, 'a'))?.storedStatus, 'pending_verification')
  })
}

export function renewalTests(open: () => Promise<Opened>): void {
  test('a renewal mails a link for the newest pending agent and gives it a new day; the old link expires as before', async () => {
    await using store = await open()
    for (const id of ['old', 'new']) await store.agents.selfRegister(selfRegistration(id))
    const now = NOW + HOUR_MS
    await store.agents.renewVerification({ owner: OWNER.owner, now, ...link('renewal', OWNER.owner, now) })
    assert.equal((await store.recipients()).length, 3)
    assert.equal((await store.agents.find(OWNER, 'new'))?.verifyBy, now + DAY_MS)
    assert.equal((await store.agents.find(OWNER, 'old'))?.verifyBy, NOW + DAY_MS)
    const byRenewal = await store.agents.verify(
      'token of renewal',
      TRANSITIONS.verify,
      NOW + DAY_MS,
      recordOf('activate'),
    )
    assert(byRenewal.kind === 'verified')
    assert.equal(byRenewal.agent.id, 'new')
    assert.deepEqual(
      await store.agents.verify('token of new', TRANSITIONS.verify, NOW + DAY_MS, recordOf('activate')),
      { kind: 'unusable' },
    )
  })

  test('without a pending agent, with an expired one or with a full mailbox no mail is sent and no link is made', async () => {
    await using store = await open()
    const renew = async (name: string, owner: string, now: number) => {
      const before = await store.recipients()
      await store.agents.renewVerification({ owner, now, ...link(name, owner, now) })
      assert.deepEqual(await store.recipients(), before)
      assert.deepEqual(
        await store.agents.verify(`token of ${name}`, TRANSITIONS.verify, now, recordOf('activate')),
        { kind: 'unusable' },
      )
    }
    await renew('nobody', OWNER.owner, NOW)
    for (const id of ['a', 'b', 'c']) await store.agents.selfRegister(selfRegistration(id))
    await renew('full', OWNER.owner, NOW + DAY_MS - 1)
    await renew('expired', OWNER.owner, NOW + DAY_MS)
    await store.agents.register(active('d', { owner: STRANGER.owner }), undefined)
    await renew('active', STRANGER.owner, NOW)
  })
}
