import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { toBatch } from '#adapters/sql/audit/batch.ts'
import { lockSection } from '#adapters/sql/lock-order.ts'
import { postgresAgentBatches } from '#adapters/sql/postgres/audit/agent-batches.ts'
import { listAuditDays } from '#adapters/sql/postgres/audit/partitions.ts'
import type { Database } from '#adapters/sql/schema.ts'
import { DAY_MS } from '../../src/durations.ts'
import { openPostgresSampleLog } from '../limits/postgres-sample-log.ts'
import { until } from '../support/until.ts'
import { auditUpkeepSuite } from './suites/audit/upkeep.ts'

auditUpkeepSuite('Postgres', {
  open: openPostgresSampleLog,
  // The log was read before, so each day has an entry for each agent.
  entriesKept: 2 * 30,
})

test('each day of the log is a partition, dropped whole with its chains, their marks and its checkpoints', async () => {
  await using log = await openPostgresSampleLog({ retentionDays: 3 })
  const { db } = log.store
  const first = Math.floor(log.clock.now() / DAY_MS)
  for (let day = 0; day < 8; day += 1) {
    await Promise.all([log.addBatch(), log.addElsewhere()])
    log.clock.advance(DAY_MS)
    await log.sign()
  }
  const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
  await log.prepareDays()
  assert.deepEqual(await listAuditDays(db), days(first - 1, first + 8 + 3))
  // A drop that meets a lock, such as autovacuum's, leaves its day to the next run.
  for (let run = 0; run < 50 && (await listAuditDays(db)).includes(first + 4); run += 1) await log.drop()
  assert.deepEqual(await listAuditDays(db), days(first + 5, first + 8 + 3))
  const marks = await db.selectFrom('audit_marks').select('name').execute()
  const ends = marks.filter(({ name }) => name.startsWith('end '))
  // Two instances, three days with batches; the other marks are those of the whole log.
  assert.deepEqual([ends.length, marks.length], [6, 9])
  assert.equal((await db.selectFrom('audit_checkpoints').select('no').execute()).length, 6)
  const verdict = await log.verify()
  assert(verdict.kind === 'intact')
  assert.equal(verdict.batches, 6)
})

test('the batches of an agent are searched in the partitions of their own days only', async () => {
  await using log = await openPostgresSampleLog()
  for (let day = 0; day < 5; day += 1) {
    await log.addBatch()
    log.clock.advance(DAY_MS)
  }
  await postgresAgentBatches(log.store.db, log.seal).prepare()
  await log.store.db.transaction().execute(async (transaction) => {
    // The plan of a log that is too long to be read whole.
    for (const cheap of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
      await sql.raw(`set local enable_${cheap} = off`).execute(transaction)
    const { read } = postgresAgentBatches(transaction, log.seal)
    const before = await scansOf(transaction)
    const found = await read({ agentNo: 1, from: 0, direction: 'asc', limit: 9 })
    assert.equal(found.length, 5)
    const scans = [...(await scansOf(transaction))].map(([part, count]) => count - (before.get(part) ?? 0))
    assert.deepEqual(
      scans.filter((count) => count > 0),
      [1, 1, 1, 1, 1],
    )
  })
})

/** Index scans of each day of the log, as far as the server has not yet added them to its statistics. */
async function scansOf(db: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ part: string; scans: number }>`
    select relname as part, idx_scan as scans from pg_stat_xact_user_tables where relname like 'audit_batches_%'`.execute(
    db,
  )
  return new Map(rows.map(({ part, scans }) => [part, scans]))
}

test('a batch is one row, however many requests it has', async () => {
  await using log = await openPostgresSampleLog()
  await log.addBatch()
  const rows = await log.store.db.selectFrom('audit_batches').select('body').execute()
  assert.deepEqual(
    rows.map(({ body }) => toBatch(body).i.length),
    [4],
  )
})

const WAITING = sql<{ waited: number }>`
  select extract(epoch from clock_timestamp() - a.query_start) * 1000 as waited
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and not l.granted and a.datname = current_database()`

test('an instance waits for partitions that another one is making, however long that takes', async () => {
  await using log = await openPostgresSampleLog()
  const { db, auditDays } = log.store
  const far = Math.floor(log.clock.now() / DAY_MS) + 100
  const made = await db.transaction().execute(async (transaction) => {
    await lockSection(transaction, 'audit days')
    const waiting = auditDays.ensure(far)
    const ended = waiting.then(
      () => 'ended',
      (error: unknown) => error,
    )
    // Longer than DDL waits for readers.
    const isLate = async () => ((await WAITING.execute(db)).rows[0]?.waited ?? 0) > 250
    await until(async () => (await Promise.race([ended, isLate()])) !== false)
    return { waiting, early: await Promise.race([ended, isLate()]) }
  })
  assert.equal(made.early, true)
  await made.waiting
  assert((await listAuditDays(db)).includes(far))
})
