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
/** The last moment of the day before: the commit that fails is the first of a new day. */
const EVE = NOON - DAY_MS / 2 - 1
const REFUSAL = { endpoint: '/x', status: 401, at: NOON, truncatedAddress: '192.0.2.0' }
const BY_NOBODY = requestOf('', NOON, { claim: { kind: 'nobody' } })

const BATCHES_PER_ENTRY = 64
const SIZES = { indexed: { batches: BATCHES_PER_ENTRY, agents: 4_096 } }
/** Every commit but an agent's first goes to the journal of counters. */
const JOURNALED = { ...SIZES, journal: { pages: 0 } }

/** The number of the commit that fails: the second, unless its write happens later. */
const NEXT = 2
/** The writes at which a commit can fail, in order: statement, table, number of the commit, addresses. */
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

test('a batch that SQLite rolls back midway leaves nothing behind, and the next one is written whole', async () => {
  await using folder = await tempFolder()
  await using store = await openWithAgent(folder.path, JOURNALED)
  let database: DatabaseSync | undefined
  await store.store.exclusive((opened) => {
    database = opened
  })
  assert.equal(usedIn(await store.admission.admit(requestOf('a', NOON))), 1)
  // SQLite itself rolls back when it cannot read a page.
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

test('a full store refuses requests; once there is room it serves them again and counts only those', async () => {
  await using folder = await tempFolder()
  await using store = await openWithAgent(folder.path)
  await run(store, 'pragma max_page_count = 1')
  const filler = requestOf('', NOON, { claim: { kind: 'nobody' }, truncatedAddress: 'x'.repeat(100_000) })
  await assert.rejects(store.admission.admit(filler), { code: 'store_not_ready' })
  await run(store, 'pragma max_page_count = 1000000')
  assert.equal(usedIn(await store.admission.admit(requestOf('a', NOON))), 1)
})

test('of requests that meet a locked database only the first waits for it', async () => {
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
  // If the machine pauses the process, some of them are slow, but not most.
  assert(waits.filter((ms) => ms < BUSY_TIMEOUT_MS).length > waits.length / 2, waits.join())
  other.exec('rollback')
  assert.equal(usedIn(await store.admission.admit(requestOf('a', NOON))), 1)
})

/** Sends requests one after another for `forMs`; each must be refused. */
async function keepAsking({ admission }: AdmissionStore, forMs: number): Promise<void> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < forMs) await assert.rejects(admission.admit(BY_NOBODY))
}

const DEFERRED = [
  { what: 'an outcome', waitsMs: 100, isLogged: ({ outcomes }: Audit) => outcomes.length === 1 },
  { what: 'a refusal', waitsMs: 1_100, isLogged: ({ refusals }: Audit) => refusals.length === 1 },
]

for (const { what, waitsMs, isLogged } of DEFERRED) {
  test(`${what} that could not be written is written later, without a further request`, {
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
      // Longer than the delay after which it is written without a request.
      await keepAsking(store, waitsMs)
    }
    await until(() => isLogged(readAudit(folder.path)) || t.signal.aborted)
    assert(isLogged(readAudit(folder.path)))
  })
}

test('a request to a closed store is refused, not left waiting', async () => {
  await using folder = await tempFolder()
  const store = await openWithAgent(folder.path)
  await store[Symbol.asyncDispose]()
  await assert.rejects(store.admission.admit(BY_NOBODY), { code: 'store_not_ready' })
})
