import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { GROUP } from '#adapters/sql/sqlite/audit/index-agents.ts'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { turnsDuring } from '../../../../test/turns-during.ts'
import { runs } from '../../support/repetitions.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { testClock } from '../../support/test-clock.ts'
import { type AdmissionStore, agentCalled, openAdmissionStore, requestOf } from '../admission-store.ts'
import { readAudit } from '../read-audit.ts'
import { openSampleLog } from '../sample-log.ts'
import { wholeLogOf } from './whole-log.ts'

const LIMITS = { rpm: 1_000_000, rpd: 1_000_000 }

test("an agent's log has exactly the requests in the batches, at any moment and page size", async () => {
  await using folder = await tempFolder()
  await using log = await openSampleLog(folder.path)
  for (const id of ['c', 'd']) await log.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
  const sent: Record<string, number[]> = { c: [], d: [] }
  let at = log.clock.now()
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ ids: fc.array(fc.constantFrom('c', 'd', 'nobody'), { maxLength: 4 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ id: fc.constantFrom('c', 'd'), limit: fc.integer({ min: 1, max: 60 }) }),
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      for (const each of steps) {
        if ('ids' in each) {
          const asked = each.ids.map((id) => {
            at += 1
            sent[id]?.push(at)
            return log.admission.admit(requestOf(id, at))
          })
          await Promise.all(asked)
        } else
          assert.deepEqual(await wholeLogOf(log.requestLog, each.id, each.limit), sent[each.id]?.toReversed())
      }
      assert.equal((await verifyAudit(folder.path)).kind, 'intact')
    }),
    runs(15),
  )
  assert(readAudit(folder.path).admitted.length > 100)
})

const NOON = Date.UTC(2026, 0, 31, 12)
const openIn = (folder: string) => openAdmissionStore(folder, testClock(NOON))

async function commitBatches({ admission }: AdmissionStore, count: number): Promise<void> {
  for (let batch = 0; batch < count; batch += 1) await admission.admit(requestOf('a', NOON))
}

const indexedUpTo = ({ store }: AdmissionStore) =>
  store.exclusive(
    (database) =>
      database.prepare("select coalesce(max(no), 0) as no from audit_marks where name = 'indexed'").get()?.[
        'no'
      ],
  )

test("an agent's log has every request, however many batches are not indexed yet", async () => {
  await using folder = await tempFolder()
  await using store = await openIn(folder.path)
  await store.agents.register(agentCalled('a', { customLimits: LIMITS }), undefined)
  await commitBatches(store, GROUP.batches - 1)
  assert.equal(await indexedUpTo(store), 0)
  const reading = store.requestLog.requestsOf('a', { after: undefined, limit: GROUP.batches })
  assert((await turnsDuring(reading)) > 2, 'other requests are served meanwhile')
  assert.equal((await reading).requests.length, GROUP.batches - 1)
})

test('batches that an earlier process left unindexed are indexed while requests are served', async () => {
  await using folder = await tempFolder()
  {
    await using store = await openIn(folder.path)
    await store.agents.register(agentCalled('a', { customLimits: LIMITS }), undefined)
    await commitBatches(store, GROUP.batches - 1)
  }
  await using store = await openIn(folder.path)
  await commitBatches(store, 3 * GROUP.batches)
  const before = Number(await indexedUpTo(store))
  assert(before > 3 * GROUP.batches - 1, `indexed up to ${before}`)
  await commitBatches(store, GROUP.batches)
  assert(Number(await indexedUpTo(store)) >= before + GROUP.batches - 64)
})

test('a forged mark of the index is refused, and not written over; requests are served', async () => {
  await using folder = await tempFolder()
  await using store = await openIn(folder.path)
  await store.agents.register(agentCalled('a', { customLimits: LIMITS }), undefined)
  const read = () => store.requestLog.requestsOf('a', { after: undefined, limit: 1 })
  await commitBatches(store, 1)
  await read()
  await sql`update audit_marks set no = 7 where name = 'indexed'`.execute(store.store.db)
  await assert.rejects(read(), /the mark "indexed" .*audit verify/)
  await commitBatches(store, 2 * GROUP.batches)
  await assert.rejects(read(), /the mark "indexed" .*audit verify/)
  assert.equal(await indexedUpTo(store), 7)
})
