import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit/seal.ts'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { BUSY_TIMEOUT_MS } from '#adapters/sql/sqlite/errors.ts'
import type { Decision } from '#ports/stores/admission.ts'
import { DAY_MS } from '../../src/durations.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import {
  type AdmissionStore,
  AUDIT_SECRET,
  agentCalled,
  openAdmissionStore,
  requestOf,
} from './admission-store.ts'
import { type Audit, readAudit, weightOf } from './read-audit.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
/** The commit that fails begins a day. */
const EVE = NOON - DAY_MS / 2 - 1
const REFUSAL = { endpoint: '/x', status: 401, at: NOON, truncatedAddress: '192.0.2.0' }
const BY_NOBODY = requestOf('', NOON, { claim: { kind: 'nobody' } })

const BATCHES_PER_ENTRY = 64
const SIZES = { indexed: { batches: BATCHES_PER_ENTRY, agents: 4_096 } }
/** Every commit but an agent's first goes to the journal of counters. */
const JOURNALED = { ...SIZES, journal: { pages: 0 } }

/** The second commit is one that fails, or the first that has to extend the index. */
const NEXT = 2
/** Where a commit can fail: at each of the things it writes, in the order in which it does. */
const FAILING_AT = [
  ['insert', 'audit_batches', NEXT],
  ['update', 'audit_marks', NEXT],
  ['insert', 'agent_batches', BATCHES_PER_ENTRY],
  ['insert', 'agent_activity', NEXT],
  ['insert', 'agent_days', NEXT],
  ['insert', 'address_hits', NEXT, 1],
  ['insert', 'address_journal', NEXT, 20],
  ['insert', 'counter_journal', NEXT],
] as const

async function openWithAgent(folder: string, sizes = SIZES): Promise<AdmissionStore> {
  const store = await openAdmissionStore(folder, testClock(NOON), sizes)
  // After the database: a key without one looks like a database that was lost.
  await writeFile(join(folder, AUDIT_KEY_FILE), AUDIT_SECRET)
  await store.agents.register(agentCalled('a', { customLimits: { rpm: 50, rpd: 50 } }), undefined)
  return store
}

const run = ({ store }: AdmissionStore, sql: string) => store.exclusive((database) => database.exec(sql))

function usedIn(decision: Decision): number | undefined {
  return decision.kind === 'admitted' ? decision.quota?.usedDay : undefined
}

for (const [action, table, failing, addresses = 1] of FAILING_AT) {
  test(`a commit that fails at ${table} charges nobody, and nothing that was noted is lost`, async () => {
    await using folder = await tempFolder()
    {
      await using store = await openWithAgent(folder.path, table === 'counter_journal' ? JOURNALED : SIZES)
      const { admission } = store
      const before = await admission.admit(requestOf('a', EVE))
      assert(before.kind === 'admitted')
      for (let commit = NEXT; commit < failing; commit += 1) await admission.admit(BY_NOBODY)

      await run(
        store,
        `create trigger fails before ${action} on ${table} begin select raise(abort, 'no'); end`,
      )
      admission.finish(before.ticket, 200, 1)
      admission.noteRefusal(REFUSAL)
      for (let low = 1; low <= addresses; low += 1)
        admission.noteAddress({ minuteStart: NOON, low, high: 2, hits: 3 })
      const asked = [requestOf('a', NOON), requestOf('a', NOON), requestOf('b', NOON)]
      for (const refused of await Promise.allSettled(asked.map(admission.admit))) {
        assert(refused.status === 'rejected')
        assert.equal(refused.reason.code, 'store_not_ready')
      }
      await run(store, 'drop trigger fails')

      assert.equal(usedIn(await admission.admit(requestOf('a', NOON))), 1)
      const counts = await admission.addressCounts(NOON)
      assert.deepEqual(
        counts.map(({ hits }) => hits),
        Array.from({ length: addresses }, () => 3),
      )
    }
    const audit = readAudit(folder.path)
    const others = failing - NEXT
    assert.deepEqual(
      [audit.admitted.length, audit.outcomes.length, weightOf(audit)],
      [2 + others, 1, 3 + others],
    )
    assert.equal((await verifyAudit(folder.path)).kind, 'intact')
  })
}

test('a transaction that SQLite rolls back in the middle of a batch writes nothing of it, and the next one is whole', async () => {
  await using folder = await tempFolder()
  await using store = await openWithAgent(folder.path, JOURNALED)
  let database: DatabaseSync | undefined
  await store.store.exclusive((opened) => {
    database = opened
  })
  assert.equal(usedIn(await store.admission.admit(requestOf('a', NOON))), 1)
  // As SQLite does by itself when a page cannot be read.
  const limits = () => {
    database?.exec('rollback')
    throw new Error('disk I/O error')
  }
  const failing = requestOf('', NOON, {
    claim: Object.defineProperty({ kind: 'user', userId: 'u', limits: { rpm: 1, rpd: 1 } }, 'limits', {
      get: limits,
    }),
  })
  const asked = [requestOf('a', NOON), failing, requestOf('a', NOON)]
  for (const refused of await Promise.allSettled(asked.map(store.admission.admit))) {
    assert(refused.status === 'rejected')
    assert.equal(refused.reason.code, 'store_not_ready')
  }
  assert.equal(usedIn(await store.admission.admit(requestOf('a', NOON))), 2)
  assert.equal(readAudit(folder.path).admitted.length, 2)
})

test('a full store refuses, serves again once there is room, and has counted what it served', async () => {
  await using folder = await tempFolder()
  await using store = await openWithAgent(folder.path)
  await run(store, 'pragma max_page_count = 1')
  const filler = requestOf('', NOON, { claim: { kind: 'nobody' }, truncatedAddress: 'x'.repeat(100_000) })
  await assert.rejects(store.admission.admit(filler), { code: 'store_not_ready' })
  await run(store, 'pragma max_page_count = 1000000')
  assert.equal(usedIn(await store.admission.admit(requestOf('a', NOON))), 1)
})

test('of requests that meet a lock only the first waits', async () => {
  await using folder = await tempFolder()
  await using store = await openWithAgent(folder.path)
  using other = new DatabaseSync(join(folder.path, 'stakewright.db'))
  other.exec('begin immediate')
  const waits: number[] = []
  for (let time = 0; time < 20; time += 1) {
    const startedAt = performance.now()
    await assert.rejects(store.admission.admit(requestOf('a', NOON)), { code: 'store_not_ready' })
    waits.push(performance.now() - startedAt)
  }
  // A machine that stops the process for a while makes some of them slow, not most.
  assert(waits.filter((ms) => ms < BUSY_TIMEOUT_MS).length > waits.length / 2, waits.join())
  other.exec('rollback')
  assert.equal(usedIn(await store.admission.admit(requestOf('a', NOON))), 1)
})

/** Asks again and again, in vain, for a while. */
async function keepAsking({ admission }: AdmissionStore, forMs: number): Promise<void> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < forMs) await assert.rejects(admission.admit(BY_NOBODY))
}

const LATER = [
  { what: 'an outcome', waitsMs: 100, isThere: ({ outcomes }: Audit) => outcomes.length === 1 },
  { what: 'a refusal', waitsMs: 1_100, isThere: ({ refusals }: Audit) => refusals.length === 1 },
]

for (const { what, waitsMs, isThere } of LATER) {
  test(`${what} that could not be noted is noted later, though nobody asks for anything`, {
    timeout: 20_000,
  }, async (t) => {
    await using folder = await tempFolder()
    await using store = await openWithAgent(folder.path)
    const decision = await store.admission.admit(BY_NOBODY)
    assert(decision.kind === 'admitted')
    {
      using other = new DatabaseSync(join(folder.path, 'stakewright.db'))
      other.exec('begin immediate')
      if (what === 'an outcome') store.admission.finish(decision.ticket, 200, 1)
      else store.admission.noteRefusal(REFUSAL)
      // Longer than it would wait by itself.
      await keepAsking(store, waitsMs)
    }
    await until(() => isThere(readAudit(folder.path)) || t.signal.aborted)
    assert(isThere(readAudit(folder.path)))
  })
}

test('who asks after the end is refused, not left waiting', async () => {
  await using folder = await tempFolder()
  const store = await openWithAgent(folder.path)
  await store[Symbol.asyncDispose]()
  await assert.rejects(store.admission.admit(BY_NOBODY), { code: 'store_not_ready' })
})
