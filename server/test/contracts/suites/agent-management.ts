import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import type { ActionRecord, Agent, AgentFilter } from '#ports/stores/agents.ts'
import { DAY_MS } from '../../../src/durations.ts'
import {
  active,
  EVERYBODY,
  link,
  NOW,
  type Opened,
  OWNER,
  pending,
  recordOf,
  STRANGER,
  selfRegistration,
} from './sample-agents.ts'

const RECORD = {
  actions: ['revoke-self'],
  at: NOW,
  actor: { kind: 'agent', id: 'a', role: undefined },
  truncatedAddress: '192.0.2.0',
  via: 'rest',
  notice: ({ owner }: Agent) => {
    const mail = { to: owner, subject: '', text: '', html: '' }
    return { mail, lastMail: mail, mailCaps: [] }
  },
} as const satisfies ActionRecord

export function lookupTests(open: () => Promise<Opened>): void {
  test("another owner's agent is not found, listed or used as a cursor; an admin sees all agents", async () => {
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

  test('a filter by text, by current state or by name lists only matches, on every page', async () => {
    await using store = await open()
    const named = (id: string, name: string, more = {}) => active(id, { name, ...more })
    await store.agents.register(named('one', 'Müller 100%_x'), undefined)
    await store.agents.register(named('two', 'visitor'), undefined)
    await store.agents.register(named('three', 'SCOUT', { owner: STRANGER.owner }), undefined)
    await store.agents.register(pending('late', { verifyBy: NOW }), undefined)
    await store.agents.register(pending('waiting', { verifyBy: NOW + 1 }), undefined)
    const none = { search: undefined, status: undefined, exceptName: undefined, now: NOW }
    const found = async (filter: Partial<AgentFilter>, limit = 10) => {
      const ids: string[] = []
      let after: string | undefined
      do {
        const page = await store.agents.list(EVERYBODY, { after, limit }, { ...none, ...filter })
        assert(page)
        ids.push(...page.agents.map(({ id }) => id))
        after = page.next
      } while (after !== undefined)
      return ids
    }
    assert.deepEqual(await found({ search: 'scout' }), ['three'])
    assert.deepEqual(await found({ search: 'Müller' }), ['one'])
    for (const search of ['%_', '100%']) assert.deepEqual(await found({ search }), ['one'], search)
    for (const search of ['_1', '%s', '\\']) assert.deepEqual(await found({ search }), [], search)
    assert.deepEqual(await found({ search: STRANGER.owner.toUpperCase() }), ['three'])
    assert.deepEqual(await found({ search: 'WAIT' }), ['waiting'])
    assert.deepEqual(await found({ status: 'expired' }), ['late'])
    assert.deepEqual(await found({ status: 'pending_verification' }), ['waiting'])
    assert.deepEqual(await found({ status: 'active', exceptName: 'visitor' }, 1), ['three', 'one'])
    assert.deepEqual(await found({ status: 'revoked' }), [])
  })

  test('pages are newest first, without overlap or gap, while other agents are registered', async () => {
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

export function keyTests(open: () => Promise<Opened>): void {
  const rotation = (digest: string, graceEndsAt?: number) => ({
    key: { digest, prefix: `prefix of ${digest}` },
    step: TRANSITIONS.rotate,
    now: NOW,
    graceEndsAt,
  })

  test('the old key stops working in the commit of the new one, whatever the clock says later', async () => {
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

  test('a grace period ends at exactly the stated time', async () => {
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

  test('using a key sets the last use of its agent', async () => {
    await using store = await open()
    await store.agents.register(active('a', { customLimits: undefined }), undefined)
    assert.equal((await store.agents.find(OWNER, 'a'))?.lastUsedAt, undefined)
    await store.keyWorks('key of a', NOW + 5)
    assert.equal((await store.agents.find(OWNER, 'a'))?.lastUsedAt, NOW + 5)
    const outcome = await store.agents.replaceKey(OWNER, 'a', rotation('second'))
    assert(outcome.kind === 'changed')
    assert.equal(outcome.agent.lastUsedAt, NOW + 5)
  })

  test('of simultaneous rotations exactly one key is left working', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    const digests = Array.from({ length: 10 }, (_, index) => `key ${index}`)
    await Promise.all(digests.map((digest) => store.agents.replaceKey(OWNER, 'a', rotation(digest))))
    const working = await Promise.all(['key of a', ...digests].map((digest) => store.keyWorks(digest, NOW)))
    assert.equal(working.filter(Boolean).length, 1)
  })

  test('only an active agent of the owner gets a new key; after a refusal the old key still works', async () => {
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

export function stateTests(open: () => Promise<Opened>): void {
  test('a revoked agent has no working key, keeps the time of its revocation, and stays revoked', async () => {
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

  test('revoking by key ends an old key alone or the agent of a new one, once, with a notice in the same commit', async () => {
    await using store = await open()
    await store.agents.register(active('a'), undefined)
    await store.agents.replaceKey(OWNER, 'a', {
      key: { digest: 'second', prefix: '' },
      step: TRANSITIONS.rotate,
      now: NOW,
      graceEndsAt: NOW + DAY_MS,
    })
    const revoke = (digest: string) =>
      store.agents.revokeByKey(digest, { step: TRANSITIONS.revoke, now: NOW }, RECORD)
    assert.equal((await revoke('key of a'))?.storedStatus, 'active')
    assert.equal(await store.keyWorks('key of a', NOW), false)
    assert.equal(await store.keyWorks('second', NOW), true)
    for (const digest of ['key of a', 'unknown']) assert.equal(await revoke(digest), undefined)
    const outcomes = await Promise.all([1, 2, 3].map(() => revoke('second')))
    assert.deepEqual(
      outcomes.flatMap((agent) => agent?.revokedAt ?? []),
      [NOW],
    )
    assert.equal(await store.keyWorks('second', NOW), false)
    assert.deepEqual(await store.recipients(), [OWNER.owner, OWNER.owner])
  })

  test('concurrent changes and replacements of one agent do not deadlock', async () => {
    await using store = await open()
    const agentLimit = { limit: 1_000, dayStart: NOW }
    const mailCaps = [{ key: 'notices', limit: 1_000, since: NOW - DAY_MS, now: NOW }]
    const notice = (agent: Agent) => ({ ...RECORD.notice(agent), mailCaps })
    const record: ActionRecord = { ...RECORD, notice }
    const limits = { rpm: 1, rpd: 1 }
    for (const round of Array(8).keys()) {
      const [id, late] = [`agent ${round}`, `late ${round}`]
      await store.agents.register(active(id), undefined)
      await store.agents.selfRegister(selfRegistration(late))
      const replaced = { id, step: TRANSITIONS.revoke, notice }
      const { token, mail, mailCaps: caps } = link(`renewal ${round}`, OWNER.owner)
      const verification = recordOf('activate')
      await Promise.all([
        store.agents.update(id, { step: undefined, limits }, record),
        store.agents.register(active(`${id} b`), replaced, record, agentLimit),
        store.agents.update(id, { step: undefined, limits }, record),
        store.agents.register(active(`${id} c`), replaced, record),
        store.agents.renewVerification({ owner: OWNER.owner, token, mail, mailCaps: caps, now: NOW }),
        store.agents.verify(`token of ${late}`, TRANSITIONS.verify, NOW, verification, { agentLimit }),
        store.agents.selfRegister(selfRegistration(`${late} b`)),
      ])
    }
  })

  test("another owner's agent cannot be revoked", async () => {
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

  test('the key of a suspended agent does not work until the agent is resumed; limits stay until they are set', async () => {
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
