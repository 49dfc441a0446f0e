import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import { runs } from '../support/repetitions.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'
import { type AdmissionStore, agentCalled, openAdmissionStore, requestOf } from './admission-store.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const LIMITS = { rpm: 1_000, rpd: 1_000 }

async function decisionOn(store: AdmissionStore, id: string): Promise<string> {
  const decision = await store.admission.admit(requestOf(id, NOON))
  return decision.kind === 'unusable' ? decision.status : decision.kind
}

/** The writers of agents: this process through its only connection, and another program of the operator. */
const WRITERS = {
  'this process': (store: AdmissionStore, _other: DatabaseSync, sql: string) =>
    store.store.exclusive((database) => database.exec(sql)),
  'another program': async (_store: AdmissionStore, other: DatabaseSync, sql: string) => other.exec(sql),
}

test('a change of an agent holds for the very next request, whether this process or another program wrote it', async () => {
  await using folder = await tempFolder()
  await using store = await openAdmissionStore(folder.path, testClock(NOON))
  using other = new DatabaseSync(join(folder.path, 'stakewright.db'), { timeout: 5_000 })
  for (const id of ['a', 'b'])
    await store.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
  const step = fc.record({
    id: fc.constantFrom('a', 'b'),
    writer: fc.constantFrom(...(Object.keys(WRITERS) as (keyof typeof WRITERS)[])),
    status: fc.constantFrom('active', 'revoked', 'suspended', undefined),
  })
  const expected = new Map([
    ['a', 'admitted'],
    ['b', 'admitted'],
  ])
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const { id, writer, status } of steps) {
        if (status) {
          await WRITERS[writer](store, other, `update agents set status = '${status}' where id = '${id}'`)
          expected.set(id, status === 'active' ? 'admitted' : status)
        }
        assert.equal(await decisionOn(store, id), expected.get(id))
      }
    }),
    runs(60),
  )
})

/** Changes by this process that are none of the agent `a`. */
const OTHER_CHANGES = {
  'a registration': (store: AdmissionStore) => store.agents.register(agentCalled('c'), undefined),
  'a change of another agent': (store: AdmissionStore) =>
    store.store.exclusive((database) => database.exec(`update agents set name = 'new' where id = 'b'`)),
  'a write to another table': (store: AdmissionStore) =>
    store.store.exclusive((database) => database.exec(`insert into agent_days values (99, 1, '{}', 0, 0)`)),
}

for (const [name, change] of Object.entries(OTHER_CHANGES)) {
  test(`${name} leaves an agent in the cache; a change of its own key does not`, async () => {
    await using folder = await tempFolder()
    await using store = await openAdmissionStore(folder.path, testClock(NOON))
    for (const id of ['a', 'b'])
      await store.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
    for (const id of ['a', 'b']) await decisionOn(store, id)
    await change(store)
    const before = store.checkedSeals()
    await decisionOn(store, 'a')
    assert.equal(store.checkedSeals(), before)
    await store.store.exclusive((database) =>
      database.exec(`update agent_keys set name = 'new' where digest = 'key of a'`),
    )
    await decisionOn(store, 'a')
    assert(store.checkedSeals() > before)
  })
}

/** Changes by this process after which the key of `a` must not be admitted. */
const ENDS = {
  'its agent is revoked': `update agents set status = 'revoked' where id = 'a'`,
  'its agent is deleted': `delete from agents where id = 'a'`,
  'it has ended': `update agent_keys set valid_until = 0 where digest = 'key of a'`,
  'it gets another digest': `update agent_keys set digest = 'another' where digest = 'key of a'`,
  'it is deleted': `delete from agent_keys where digest = 'key of a'`,
  'its row is replaced': `insert or replace into agent_keys (digest, agent_no, valid_until)
    select digest, agent_no, 0 from agent_keys where digest = 'key of a'`,
}

for (const [name, sql] of Object.entries(ENDS)) {
  test(`a cached key is not admitted once ${name}`, async () => {
    await using folder = await tempFolder()
    await using store = await openAdmissionStore(folder.path, testClock(NOON))
    await store.agents.register(agentCalled('a', { customLimits: LIMITS }), undefined)
    assert.equal(await decisionOn(store, 'a'), 'admitted')
    await store.store.exclusive((database) => database.exec(sql))
    assert.notEqual(await decisionOn(store, 'a'), 'admitted')
  })
}

test('counters of an agent and a user that this process writes are not overwritten with cached ones', async () => {
  await using folder = await tempFolder()
  await using store = await openAdmissionStore(folder.path, testClock(NOON))
  await store.agents.register(agentCalled('a', { customLimits: LIMITS }), undefined)
  const user = { claim: { kind: 'user', userId: 'ann', limits: LIMITS } } as const
  const usedBy = async (change: Parameters<typeof requestOf>[2]) => {
    const decision = await store.admission.admit(requestOf('a', NOON, change))
    return decision.kind === 'admitted' && decision.quota?.usedDay
  }
  for (const change of [{}, user]) assert.equal(await usedBy(change), 1)
  await store.store.exclusive((database) =>
    database.exec('update agent_activity set day_used = 900; update user_activity set day_used = 800'),
  )
  assert.deepEqual([await usedBy({}), await usedBy(user)], [901, 801])
  await store.store.exclusive((database) =>
    database.exec('delete from agent_activity; delete from user_activity'),
  )
  assert.deepEqual([await usedBy({}), await usedBy(user)], [1, 1])
})

test('counters that another program writes are never overwritten with cached ones', async () => {
  await using folder = await tempFolder()
  await using store = await openAdmissionStore(folder.path, testClock(NOON))
  using other = new DatabaseSync(join(folder.path, 'stakewright.db'), { timeout: 5_000 })
  await store.agents.register(agentCalled('a', { customLimits: LIMITS }), undefined)
  await decisionOn(store, 'a')
  other.exec('update agent_activity set day_used = 900')
  const decision = await store.admission.admit(requestOf('a', NOON))
  assert(decision.kind === 'admitted')
  assert.equal(decision.quota?.usedDay, 901)
})

for (const [place, journal] of Object.entries({ row: {}, journal: { pages: 0 } })) {
  test(`an agent whose counters have left the cache is charged on top of its ${place}`, async () => {
    await using folder = await tempFolder()
    const clock = testClock(NOON)
    await using store = await openAdmissionStore(folder.path, clock, { journal, cached: 1 })
    for (const id of ['a', 'b'])
      await store.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
    const key = { digest: 'the second key of b', prefix: 'b' }
    const rotation = { key, step: TRANSITIONS.rotate, now: NOON, graceEndsAt: NOON + 1 }
    await store.agents.replaceKey({ kind: 'everybody' }, 'b', rotation)
    const ask = async (id: string) => {
      const decision = await store.admission.admit(requestOf(id, clock.now()))
      return decision.kind === 'admitted' ? decision.quota?.usedDay : decision.kind
    }
    assert.equal(await ask('a'), 1)
    assert.equal(await ask('b'), 1)
    clock.advance(1)
    // An expired key leaves the cache, but its agent's counters stay: with those of `a` they exceed its size.
    assert.equal(await ask('b'), 'unusable')
    assert.equal(await ask('a'), 2)
    assert.equal(await ask('a'), 3)
    assert.equal(await ask('a'), 4)
  })
}
