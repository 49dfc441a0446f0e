import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { lockStatement } from '#adapters/sql/lock-order.ts'
import { listAuditDays } from '#adapters/sql/postgres/audit/partitions.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { DAY_MS } from '../../src/durations.ts'
import { canDump, finishDespiteDump, holdRealDump, pidOf, restoreDump } from '../support/services/pg-dump.ts'
import { testDatabase } from '../support/services/postgres-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openPostgresSampleLog } from './postgres-sample-log.ts'

/** Holds the locks of a running pg_dump: ACCESS SHARE on every table, in one transaction. */
async function holdDump(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(relname) as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  )
  await client.query(`lock table ${rows.map(({ name }) => name).join()} in access share mode`)
  return { pid: await pidOf(client), [Symbol.asyncDispose]: () => client.end() }
}

test('requests are admitted over midnight while a dump runs, even if the new day has no partition yet', async () => {
  await using log = await openPostgresSampleLog()
  await log.addBatch()
  await using dump = await holdDump(log.store.url)
  for (let midnight = 0; midnight < 8; midnight += 1) {
    log.clock.advance(DAY_MS)
    await finishDespiteDump(dump, log.store.url, Promise.all([log.addBatch(), log.addElsewhere()]))
  }
  assert.equal((await log.verify()).kind, 'intact')
})

test('requests are admitted while a real pg_dump runs over midnight, and the log it dumped is intact', async (t) => {
  await using log = await openPostgresSampleLog()
  const { url } = log.store
  if (!(await canDump(url))) return t.skip('there is no pg_dump for this server')
  await using folder = await tempFolder()
  await using restored = await testDatabase()
  for (let batch = 0; batch < 3; batch += 1) await log.addBatch()
  const file = join(folder.path, 'dump')
  const dump = await holdRealDump(url, file)
  for (let midnight = 0; midnight < 3; midnight += 1) {
    log.clock.advance(DAY_MS)
    await finishDespiteDump(dump, url, Promise.all([log.addBatch(), log.addElsewhere()]))
  }
  await dump.finish()
  await restoreDump(file, restored.url)
  const [before, now] = [await verifyPostgresAudit(restored.url, log.seal), await log.verify()]
  assert(before.kind === 'intact' && now.kind === 'intact')
  assert(before.batches >= 3 && now.batches > before.batches)
})

test('the job makes the partitions of the next three days ahead', async () => {
  await using log = await openPostgresSampleLog()
  const today = Math.floor(log.clock.now() / DAY_MS)
  await log.prepareDays()
  assert.deepEqual(await listAuditDays(log.store.db), [today - 1, today, today + 1, today + 2, today + 3])
  log.clock.advance(DAY_MS)
  await log.prepareDays()
  assert.equal((await listAuditDays(log.store.db)).at(-1), today + 4)
})

test('while nobody can make partitions, requests are admitted over every midnight that was prepared', async () => {
  await using log = await openPostgresSampleLog()
  const client = new pg.Client({ connectionString: log.store.url })
  await client.connect()
  await using _ = { [Symbol.asyncDispose]: () => client.end() }
  for (let midnight = 0; midnight < 6; midnight += 1) {
    await log.prepareDays()
    await client.query('begin')
    await client.query(lockStatement('audit days'))
    log.clock.advance(DAY_MS)
    await Promise.all([log.addBatch(), log.addElsewhere()])
    await client.query('rollback')
  }
  assert.equal((await log.verify()).kind, 'intact')
})

test('dropping an old day waits for a running dump, and no request waits for the drop', async () => {
  await using log = await openPostgresSampleLog({ retentionDays: 2 })
  const first = Math.floor(log.clock.now() / DAY_MS)
  for (let day = 0; day < 5; day += 1) {
    await log.addBatch()
    log.clock.advance(DAY_MS)
    await log.sign()
  }
  const { db } = log.store
  {
    await using dump = await holdDump(log.store.url)
    const drop = log.drop().catch(() => {})
    const batches = (async () => {
      for (let batch = 0; batch < 10; batch += 1) await log.addBatch()
    })()
    await finishDespiteDump(dump, log.store.url, Promise.all([batches, drop]))
    assert((await listAuditDays(db)).includes(first))
  }
  await log.drop()
  assert(!(await listAuditDays(db)).includes(first))
  assert.equal((await log.verify()).kind, 'intact')
})
