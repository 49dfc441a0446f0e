import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '#adapters/sql/schema.ts'
import { DAY_MS } from '../../../src/durations.ts'
import { openPostgresSampleLog } from '../postgres-sample-log.ts'

/*
 * Instances of the version before know the log and an index of their own, but not `agent_batches`: they prepare and drop
 * days without it, e.g. as leader during an upgrade, or after a downgrade.
 */

type SampleLog = Awaited<ReturnType<typeof openPostgresSampleLog>>

const today = ({ clock }: SampleLog): number => Math.floor(clock.now() / DAY_MS)

/** The days that a table has partitions for. */
async function daysOf(db: Database, table: 'audit_batches' | 'agent_batches') {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = ${table}::regclass`.execute(db)
  return rows.map(({ name }) => Number(name.slice(table.length + 1))).sort((a, b) => a - b)
}

async function dropPartOfIndex(db: Database, day: number): Promise<void> {
  await sql`drop table ${sql.ref(`agent_batches_${day}`)}`.execute(db)
}

async function createPart(db: Database, table: 'audit_batches' | 'agent_batches', day: number) {
  await sql`create table ${sql.ref(`${table}_${day}`)} partition of ${sql.ref(table)}
    for values from (${sql.lit(day)}) to (${sql.lit(day + 1)})`.execute(db)
}

const countRead = async (log: SampleLog): Promise<number> => (await log.readRequests()).requests.length

test('days that the version before prepared are read: their part of the index is made when it is needed', async () => {
  await using log = await openPostgresSampleLog()
  const { db } = log.store
  const first = today(log)
  for (let day = 0; day < 4; day += 1) {
    await Promise.all([log.addBatch(), log.addElsewhere()])
    log.clock.advance(DAY_MS)
  }
  for (let day = first; day < first + 4; day += 1) await dropPartOfIndex(db, day)
  assert.equal(await countRead(log), 8)
  assert.equal((await log.verify()).kind, 'intact')
})

test('over a midnight that the version before prepared, the log is written and read', async () => {
  await using log = await openPostgresSampleLog()
  const { db } = log.store
  const ahead = (await daysOf(db, 'audit_batches')).at(-1) ?? 0
  for (let day = ahead + 1; day < ahead + 4; day += 1) await createPart(db, 'audit_batches', day)
  while (today(log) < ahead + 3) {
    log.clock.advance(DAY_MS)
    await log.addBatch()
    await log.readRequests()
  }
  assert.equal(await countRead(log), 4 + 2)
  assert.equal((await log.verify()).kind, 'intact')
})

for (const when of ['at the start', 'by the job that prepares days'] as const) {
  test(`the index gets its part of all days of the log ${when}`, async () => {
    await using log = await openPostgresSampleLog()
    const { db } = log.store
    const first = today(log)
    for (let day = 0; day < 40; day += 1) await createPart(db, 'audit_batches', first - 100 + day)
    await dropPartOfIndex(db, first + 1)
    await (when === 'at the start' ? log.restart() : log.prepareDays())
    const expected = await daysOf(db, 'audit_batches')
    assert.equal(expected.length, 40 + 5)
    assert.deepEqual(await daysOf(db, 'agent_batches'), expected)
  })
}

type Entry = { readonly day: number }

/** Drops old days as the version before does: it leaves the index and its marks. */
async function dropAsBefore(log: SampleLog): Promise<readonly number[]> {
  const { db } = log.store
  const entries = (await sql<Entry>`select * from agent_batches`.execute(db)).rows
  const marks = await db.selectFrom('audit_marks').selectAll().where('name', 'like', 'indexed %').execute()
  const before = await daysOf(db, 'agent_batches')
  await log.drop()
  const kept = new Set(await daysOf(db, 'agent_batches'))
  const dropped = before.filter((day) => !kept.has(day))
  for (const day of dropped) await createPart(db, 'agent_batches', day)
  const lost = entries.filter(({ day }) => dropped.includes(day))
  await sql`insert into agent_batches
    select * from json_populate_recordset(null::agent_batches, ${JSON.stringify(lost)})`.execute(db)
  await db
    .insertInto('audit_marks')
    .values(marks)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return dropped
}

async function openEightDays(): Promise<SampleLog> {
  const log = await openPostgresSampleLog({ retentionDays: 3 })
  for (let day = 0; day < 8; day += 1) {
    await Promise.all([log.addBatch(), log.addElsewhere()])
    log.clock.advance(DAY_MS)
    await log.sign()
  }
  await log.prepareDays()
  await log.readRequests()
  return log
}

test('what the version before left of days that it dropped leaves the index, with its marks', async () => {
  await using log = await openEightDays()
  const { db } = log.store
  assert((await dropAsBefore(log)).length > 3)
  assert.equal((await log.verify()).kind, 'broken')
  await log.drop()
  const kept = await daysOf(db, 'audit_batches')
  assert.deepEqual(await daysOf(db, 'agent_batches'), kept)
  const marks = await db.selectFrom('audit_marks').select('name').where('name', 'like', 'indexed %').execute()
  assert(marks.every(({ name }) => kept.includes(Number(name.split(' ')[1]))))
  assert.equal(marks.length, 6)
  const verdict = await log.verify()
  assert(verdict.kind === 'intact', JSON.stringify(verdict))
  assert.equal(verdict.batches, 6)
  assert.equal(await countRead(log), 6)
})

test('days whose batches somebody dropped keep their marks, which prove it', async () => {
  await using log = await openEightDays()
  const { db } = log.store
  const day = today(log) - 8
  await sql`drop table ${sql.ref(`audit_batches_${day}`)}`.execute(db)
  await log.drop()
  assert.equal((await log.verify()).kind, 'broken')
  assert((await daysOf(db, 'agent_batches')).includes(day))
})
