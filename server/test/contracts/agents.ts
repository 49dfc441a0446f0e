import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import type { Agents, NewAgent, RegistrationLimit } from '#ports/agents.ts'

type Opened = AsyncDisposable & {
  readonly agents: Agents
  /** Whether a request with this key would be let in. */
  keyWorks(digest: string, now: number): Promise<boolean>
  /** The addresses of the queued mails, oldest first. */
  recipients(): Promise<readonly string[]>
}

const NOW = Date.UTC(2026, 0, 31, 12)
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const OWNER = { kind: 'owner', owner: 'a@example.com' } as const
const STRANGER = { kind: 'owner', owner: 'b@example.com' } as const
const EVERYBODY = { kind: 'everybody' } as const

const active = (id: string, change: Partial<NewAgent> = {}): NewAgent => ({
  id,
  owner: OWNER.owner,
  name: 'Übersicht 🦉 "quoted"',
  type: 'bot',
  walletAddress: `0x${'3f'.repeat(32)}`,
  identityTier: 'user_linked',
  tier: 'builder',
  storedStatus: 'active',
  customLimits: { rpm: 7, rpd: 0 },
  createdAt: NOW,
  verifyBy: undefined,
  verifiedAt: NOW,
  key: { digest: `key of ${id}`, prefix: `prefix of ${id}` },
  ...change,
})

const pending = (id: string, change: Partial<NewAgent> = {}): NewAgent =>
  active(id, {
    walletAddress: undefined,
    identityTier: 'unverified',
    tier: 'free',
    storedStatus: 'pending_verification',
    customLimits: undefined,
    verifyBy: NOW + DAY_MS,
    verifiedAt: undefined,
    ...change,
  })

const hourLimit = (limit: number, windowStart = NOW): RegistrationLimit => ({
  name: 'ip-hour',
  key: 'ip',
  windowStart,
  windowEnd: windowStart + HOUR_MS,
  limit,
})

const dayLimit = (limit: number): RegistrationLimit => ({
  name: 'global-day',
  key: '',
  windowStart: NOW - 12 * HOUR_MS,
  windowEnd: NOW + 12 * HOUR_MS,
  limit,
})

type SelfRegistration = Parameters<Agents['selfRegister']>[0]

const link = (name: string, owner: string, now = NOW) => ({
  token: { digest: `token of ${name}`, expiresAt: now + DAY_MS },
  mail: { to: owner, subject: 'subject', text: 'text', html: 'html' },
  mailCap: { key: owner, limit: 3, since: now - DAY_MS, now },
})

const selfRegistration = (id: string, change: Partial<SelfRegistration> = {}): SelfRegistration => {
  const agent = change.agent ?? pending(id)
  return { agent, ...link(id, agent.owner), limits: [], ...change }
}

/** What every store of agents guarantees. `open` gives an empty one. */
export function agentsSuite(name: string, open: () => Promise<Opened>): void {
  suite(`agents: ${name}`, () => {
    registrationTests(open)
    limitTests(open)
    verificationTests(open)
    renewalTests(open)
    lookupTests(open)
    keyTests(open)
    stateTests(open)
  })
}

function registrationTests(open: () => Promise<Opened>): void {
  test('an agent comes back as it was registered, each field of it', async () => {
    await using store = await open()
    for (const agent of [active('a'), pending('b')]) {
      assert.equal(await store.agents.register(agent, undefined), 'registered')
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

  test('a registration that fails leaves nothing of itself', async () => {
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

  test('an agent that is replaced loses its key with the commit that gives the new one', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    const replaced = { id: 'a', step: TRANSITIONS.revoke }
    assert.equal(await store.agents.register(active('b', { createdAt: NOW + 5 }), replaced), 'registered')
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
      assert.equal(outcome, 'replaced_agent_not_found')
      assert.equal(await store.agents.find(EVERYBODY, 'b'), undefined)
      assert.equal(await store.keyWorks('key of b', NOW), false)
    }
  })
}

function limitTests(open: () => Promise<Opened>): void {
  const tryAll = (store: Opened, count: number, limits: (index: number) => RegistrationLimit[]) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        store.agents.selfRegister(
          selfRegistration(`${index}`, {
            agent: pending(`${index}`, { owner: `${index}@example.com` }),
            ...link(`${index}`, `${index}@example.com`),
            limits: limits(index),
          }),
        ),
      ),
    )

  test('of many at once exactly as many are registered as the limits allow', async () => {
    await using store = await open()
    const outcomes = await tryAll(store, 40, (index) => [
      { ...hourLimit(3), key: `ip ${index % 4}` },
      dayLimit(10),
    ])
    assert.equal(outcomes.filter(({ kind }) => kind === 'registered').length, 10)
    assert.equal((await store.recipients()).length, 10)
    assert.equal((await store.agents.list(EVERYBODY, { after: undefined, limit: 100 }))?.agents.length, 10)
  })

  test('what one limit refuses is not charged to another', async () => {
    await using store = await open()
    await tryAll(store, 9, () => [hourLimit(2), dayLimit(3)])
    const other = { ...hourLimit(2), key: 'another ip' }
    const outcome = await store.agents.selfRegister(selfRegistration('x', { limits: [other, dayLimit(3)] }))
    assert.deepEqual(outcome, { kind: 'registered' })
  })

  test('a refusal names the limit that holds out the longest, and the moment it ends', async () => {
    await using store = await open()
    const limits = [hourLimit(1), dayLimit(1)]
    await store.agents.selfRegister(selfRegistration('a', { limits }))
    const refused = { kind: 'limited', by: 'global-day', retryAt: NOW + 12 * HOUR_MS }
    for (const order of [limits, limits.toReversed()]) {
      assert.deepEqual(await store.agents.selfRegister(selfRegistration('b', { limits: order })), refused)
    }
  })

  test('a limit of 0 refuses everybody', async () => {
    await using store = await open()
    const outcome = await store.agents.selfRegister(selfRegistration('a', { limits: [hourLimit(0)] }))
    assert.deepEqual(outcome, { kind: 'limited', by: 'ip-hour', retryAt: NOW + HOUR_MS })
  })

  test('the next window is a new one, and a clock that steps back refills none', async () => {
    await using store = await open()
    const register = (id: string, windowStart: number) =>
      store.agents.selfRegister(selfRegistration(id, { limits: [hourLimit(1, windowStart)] }))
    const later = NOW + 30 * DAY_MS
    assert.equal((await register('a', NOW)).kind, 'registered')
    assert.equal((await register('b', later)).kind, 'registered')
    const refused = { kind: 'limited', by: 'ip-hour', retryAt: later + HOUR_MS }
    for (const windowStart of [NOW, NOW + HOUR_MS, later]) {
      assert.deepEqual(await register('c', windowStart), refused)
    }
    assert.equal((await register('c', later + HOUR_MS)).kind, 'registered')
  })

  test('an address gets its share of mails in any 24 hours, whatever the clock does, and no more', async () => {
    await using store = await open()
    const sentByThen = [
      [0, 1],
      [1, 2],
      [1, 3],
      [2, 3],
      [DAY_MS - 1, 3],
      [DAY_MS, 4],
      [DAY_MS, 4],
      [DAY_MS + 1, 5],
      [DAY_MS + 1, 6],
      // The clock steps back, and goes on.
      [0, 6],
      [DAY_MS, 6],
      [2 * DAY_MS - 1, 6],
      [2 * DAY_MS, 7],
      [2 * DAY_MS, 7],
      // It jumps ahead, and back: what is sent then counts as sent at the newest moment there was.
      [4 * DAY_MS, 8],
      [DAY_MS, 9],
      [DAY_MS, 10],
      [3 * DAY_MS, 10],
      [5 * DAY_MS - 1, 10],
      [5 * DAY_MS, 11],
    ] as const
    for (const [index, [moment, sent]] of sentByThen.entries()) {
      const { mail, mailCap, token } = link(`${index}`, OWNER.owner, NOW + moment)
      const outcome = await store.agents.selfRegister(selfRegistration(`${index}`, { mail, mailCap, token }))
      assert.equal(outcome.kind, 'registered')
      assert.equal((await store.recipients()).length, sent, `attempt ${index}`)
    }
  })
}

function verificationTests(open: () => Promise<Opened>): void {
  test('a link works to the last millisecond before its end, and not at it', async () => {
    for (const [now, expected] of [
      [NOW + DAY_MS - 1, 'active'],
      [NOW + DAY_MS, undefined],
    ] as const) {
      await using store = await open()
      await store.agents.selfRegister(selfRegistration('a'))
      const agent = await store.agents.verify('token of a', TRANSITIONS.verify, now)
      assert.equal(agent?.storedStatus, expected)
      assert.equal(await store.keyWorks('key of a', now), expected === 'active')
    }
  })

  test('ten uses at once activate once, and all return the same', async () => {
    await using store = await open()
    await store.agents.selfRegister(selfRegistration('a'))
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        store.agents.verify('token of a', TRANSITIONS.verify, NOW + index),
      ),
    )
    for (const result of results) assert.deepEqual(result, results[0])
    assert.equal(results[0]?.verifiedAt, NOW)
    assert.equal(results[0]?.identityTier, 'email_verified')
    assert.deepEqual(await store.agents.find(OWNER, 'a'), results[0])
  })

  test('a link that was used works again in its time, and not after it', async () => {
    await using store = await open()
    await store.agents.selfRegister(selfRegistration('a'))
    const first = await store.agents.verify('token of a', TRANSITIONS.verify, NOW)
    const last = NOW + DAY_MS - 1
    assert.deepEqual(await store.agents.verify('token of a', TRANSITIONS.verify, last), first)
    assert.equal(await store.agents.verify('token of a', TRANSITIONS.verify, last + 1), undefined)
    assert.equal(await store.keyWorks('key of a', last + 1), true)
  })

  test('no link brings a revoked or suspended agent back', async () => {
    await using store = await open()
    for (const id of ['never used', 'used', 'suspended'])
      await store.agents.selfRegister(selfRegistration(id))
    for (const id of ['used', 'suspended'])
      await store.agents.verify(`token of ${id}`, TRANSITIONS.verify, NOW)
    await store.agents.revoke(OWNER, 'never used', TRANSITIONS.revoke, NOW)
    await store.agents.revoke(OWNER, 'used', TRANSITIONS.revoke, NOW)
    await store.agents.update('suspended', { step: TRANSITIONS.suspend, limits: undefined })
    for (const id of ['never used', 'used', 'suspended']) {
      assert.equal(await store.agents.verify(`token of ${id}`, TRANSITIONS.verify, NOW), undefined)
      assert.equal(await store.keyWorks(`key of ${id}`, NOW), false)
    }
  })

  test('a token that nobody was given does nothing', async () => {
    await using store = await open()
    await store.agents.selfRegister(selfRegistration('a'))
    assert.equal(await store.agents.verify('unknown', TRANSITIONS.verify, NOW), undefined)
    assert.equal((await store.agents.find(OWNER, 'a'))?.storedStatus, 'pending_verification')
  })
}

function renewalTests(open: () => Promise<Opened>): void {
  test('a renewal mails a link for the newest pending agent, which has a new day; both links work', async () => {
    await using store = await open()
    for (const id of ['old', 'new']) await store.agents.selfRegister(selfRegistration(id))
    const now = NOW + HOUR_MS
    await store.agents.renewVerification({ owner: OWNER.owner, now, ...link('renewal', OWNER.owner, now) })
    assert.equal((await store.recipients()).length, 3)
    assert.equal((await store.agents.find(OWNER, 'new'))?.verifyBy, now + DAY_MS)
    assert.equal((await store.agents.find(OWNER, 'old'))?.verifyBy, NOW + DAY_MS)
    const byRenewal = await store.agents.verify('token of renewal', TRANSITIONS.verify, NOW + DAY_MS)
    assert.equal(byRenewal?.id, 'new')
    assert.equal(await store.agents.verify('token of new', TRANSITIONS.verify, NOW + DAY_MS), undefined)
  })

  test('nobody pending, an expired agent or a full mailbox: nothing is mailed and no link is made', async () => {
    await using store = await open()
    const renew = async (name: string, owner: string, now: number) => {
      const before = await store.recipients()
      await store.agents.renewVerification({ owner, now, ...link(name, owner, now) })
      assert.deepEqual(await store.recipients(), before)
      assert.equal(await store.agents.verify(`token of ${name}`, TRANSITIONS.verify, now), undefined)
    }
    await renew('nobody', OWNER.owner, NOW)
    for (const id of ['a', 'b', 'c']) await store.agents.selfRegister(selfRegistration(id))
    await renew('full', OWNER.owner, NOW + DAY_MS - 1)
    await renew('expired', OWNER.owner, NOW + DAY_MS)
    await store.agents.register(active('d', { owner: STRANGER.owner }), undefined)
    await renew('active', STRANGER.owner, NOW)
  })
}

function lookupTests(open: () => Promise<Opened>): void {
  test("another's agent is not found, listed or used as a cursor; everybody's are an admin's to see", async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    assert.equal(await store.agents.find(STRANGER, 'a'), undefined)
    assert.equal((await store.agents.find(EVERYBODY, 'a'))?.id, 'a')
    const page = { after: undefined, limit: 10 }
    assert.deepEqual(await store.agents.list(STRANGER, page), { agents: [], next: undefined })
    assert.equal((await store.agents.list(EVERYBODY, page))?.agents.length, 1)
    for (const after of ['a', 'unknown', '']) {
      assert.equal(await store.agents.list(STRANGER, { after, limit: 10 }), undefined)
    }
  })

  test('pages are newest first, overlap nowhere and leave nothing out, while others register', async () => {
    await using store = await open()
    const ids = Array.from({ length: 7 }, (_, index) => `agent ${index}`)
    for (const id of ids) {
      await store.agents.register(active(id), undefined)
      await store.agents.register(active(`other than ${id}`, { owner: STRANGER.owner }), undefined)
    }
    for (const limit of [1, 3, 7, 8]) {
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await store.agents.list(OWNER, { after, limit })
        assert(page && page.agents.length > 0 && page.agents.length <= limit)
        seen.push(...page.agents.map((agent) => agent.id))
        after = page.next
        await store.agents.register(active(`late ${limit} ${seen.length}`, { createdAt: NOW + 1 }), undefined)
      } while (after)
      const early = seen.filter((id) => ids.includes(id))
      assert.deepEqual(early, ids.toReversed())
      assert.equal(new Set(seen).size, seen.length)
    }
  })
}

function keyTests(open: () => Promise<Opened>): void {
  const rotation = (digest: string, graceEndsAt?: number) => ({
    key: { digest, prefix: `prefix of ${digest}` },
    step: TRANSITIONS.rotate,
    now: NOW,
    graceEndsAt,
  })

  test('the old key is dead the moment the new one works, whatever the clock says later', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    const outcome = await store.agents.replaceKey(OWNER, 'a', rotation('second'))
    assert(outcome.kind === 'changed')
    assert.equal(outcome.agent.keyPrefix, 'prefix of second')
    assert.equal(outcome.agent.rotatedAt, NOW)
    for (const now of [NOW - DAY_MS, NOW - 1, NOW, NOW + 1]) {
      assert.equal(await store.keyWorks('key of a', now), false)
      assert.equal(await store.keyWorks('second', now), true)
    }
  })

  test('a grace period ends exactly when it was said to', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    await store.agents.replaceKey(OWNER, 'a', rotation('second', NOW + 1_000))
    assert.equal(await store.keyWorks('key of a', NOW + 999), true)
    assert.equal(await store.keyWorks('key of a', NOW + 1_000), false)
  })

  test('a further rotation ends an earlier grace period: at most two keys ever work', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    await store.agents.replaceKey(OWNER, 'a', rotation('second', NOW + DAY_MS))
    await store.agents.replaceKey(OWNER, 'a', rotation('third', NOW + DAY_MS))
    assert.equal(await store.keyWorks('key of a', NOW), false)
    assert.equal(await store.keyWorks('second', NOW), true)
    assert.equal(await store.keyWorks('third', NOW), true)
  })

  test('a key that is used leaves the moment with its agent', async () => {
    await using store = await open()
    await store.agents.register(active('a', { customLimits: undefined }), undefined)
    assert.equal((await store.agents.find(OWNER, 'a'))?.lastUsedAt, undefined)
    await store.keyWorks('key of a', NOW + 5)
    assert.equal((await store.agents.find(OWNER, 'a'))?.lastUsedAt, NOW + 5)
    const outcome = await store.agents.replaceKey(OWNER, 'a', rotation('second'))
    assert(outcome.kind === 'changed')
    assert.equal(outcome.agent.lastUsedAt, NOW + 5)
  })

  test('of many rotations at once one key is left', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    const digests = Array.from({ length: 10 }, (_, index) => `key ${index}`)
    await Promise.all(digests.map((digest) => store.agents.replaceKey(OWNER, 'a', rotation(digest))))
    const working = await Promise.all(['key of a', ...digests].map((digest) => store.keyWorks(digest, NOW)))
    assert.equal(working.filter(Boolean).length, 1)
  })

  test('only an active agent of the owner gets a new key; the key it has stays', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    await store.agents.register(pending('pending'), undefined)
    await store.agents.register(active('revoked'), undefined)
    await store.agents.revoke(OWNER, 'revoked', TRANSITIONS.revoke, NOW)
    for (const [scope, id, kind] of [
      [STRANGER, 'a', 'not_found'],
      [OWNER, 'unknown', 'not_found'],
      [OWNER, 'pending', 'refused'],
      [OWNER, 'revoked', 'refused'],
    ] as const) {
      assert.equal((await store.agents.replaceKey(scope, id, rotation('new'))).kind, kind)
      assert.equal(await store.keyWorks('new', NOW), false)
    }
    assert.equal(await store.keyWorks('key of a', NOW), true)
  })
}

function stateTests(open: () => Promise<Opened>): void {
  test('a revoked agent has no working key, keeps the moment, and stays revoked', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    const rotated = { key: { digest: 'second', prefix: '' }, step: TRANSITIONS.rotate, now: NOW }
    await store.agents.replaceKey(OWNER, 'a', { ...rotated, graceEndsAt: NOW + DAY_MS })
    const first = await store.agents.revoke(OWNER, 'a', TRANSITIONS.revoke, NOW)
    assert(first.kind === 'changed')
    const again = await store.agents.revoke(OWNER, 'a', TRANSITIONS.revoke, NOW + 1)
    assert.deepEqual(again, { kind: 'refused', agent: first.agent })
    assert.equal(first.agent.revokedAt, NOW)
    for (const digest of ['key of a', 'second']) assert.equal(await store.keyWorks(digest, NOW), false)
  })

  test("another's agent cannot be revoked", async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    for (const [scope, id] of [
      [STRANGER, 'a'],
      [OWNER, 'unknown'],
    ] as const) {
      const outcome = await store.agents.revoke(scope, id, TRANSITIONS.revoke, NOW)
      assert.deepEqual(outcome, { kind: 'not_found' })
    }
    assert.equal(await store.keyWorks('key of a', NOW), true)
    assert.equal((await store.agents.revoke(EVERYBODY, 'a', TRANSITIONS.revoke, NOW)).kind, 'changed')
  })

  test('a suspended key is dead until it is resumed; limits stay until they are set', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    await store.agents.update('a', { step: TRANSITIONS.suspend, limits: undefined })
    assert.equal(await store.keyWorks('key of a', NOW), false)
    assert.deepEqual((await store.agents.find(OWNER, 'a'))?.customLimits, { rpm: 7, rpd: 0 })
    const limits = { rpm: 1, rpd: 2 }
    await store.agents.update('a', { step: TRANSITIONS.resume, limits })
    assert.equal(await store.keyWorks('key of a', NOW), true)
    assert.deepEqual((await store.agents.find(OWNER, 'a'))?.customLimits, limits)
  })

  test('a step that the state does not allow changes nothing, limits included', async () => {
    await using store = await open()
    await store.agents.register(pending('a'), undefined)
    for (const step of [TRANSITIONS.suspend, TRANSITIONS.resume]) {
      const outcome = await store.agents.update('a', { step, limits: { rpm: 1, rpd: 1 } })
      const unchanged = await store.agents.find(OWNER, 'a')
      assert.deepEqual(outcome, { kind: 'refused', agent: unchanged })
      assert.equal(unchanged?.customLimits, undefined)
    }
    const byLimits = await store.agents.update('a', { step: undefined, limits: { rpm: 1, rpd: 1 } })
    assert.equal(byLimits.kind, 'changed')
    const unknown = await store.agents.update('unknown', { step: undefined, limits: { rpm: 1, rpd: 1 } })
    assert.equal(unknown.kind, 'not_found')
  })
}
