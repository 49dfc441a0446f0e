import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { KeptLog } from '../../contracts/suites/audit/kept-log.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { agentCalled, openAdmissionStore, requestOf } from '../admission-store.ts'
import { openPostgresSampleLog } from '../postgres-sample-log.ts'
import { logClock, openSampleLog } from '../sample-log.ts'

type Log = Pick<KeptLog, 'store' | 'requestLog' | 'addBatch'> & AsyncDisposable

const ENGINES: Readonly<Record<string, (folder: string) => Promise<Log>>> = {
  SQLite: (folder) => openSampleLog(folder),
  Postgres: () => openPostgresSampleLog(),
}

const DAMAGE = {
  'is not JSON': sql`'{"i":[['`,
  'lacks its parts': sql`'{}'`,
  'names its agents by texts': sql`replace(replace(body, ',1,"metadata"', ',"1","metadata"'), ',2,"positions"', ',"2","positions"')`,
}

const requestsOf = async ({ requestLog }: Log, id: string, limit: number) =>
  (await requestLog.requestsOf(id, { after: undefined, limit })).requests.length

for (const [engine, open] of Object.entries(ENGINES))
  for (const [what, body] of Object.entries(DAMAGE))
    test(`${engine}: a batch that ${what} ends a page, and fails only the one that would show it`, async () => {
      await using folder = await tempFolder()
      await using log = await open(folder.path)
      for (let batch = 0; batch < 3; batch += 1) await log.addBatch()
      const { rows } = await sql<{ seq: number }>`select max(seq) as seq from audit_batches`.execute(
        log.store.db,
      )
      const damaged = rows[0]?.seq ?? 0
      await sql`create table backup as select seq, body from audit_batches`.execute(log.store.db)
      await sql`update audit_batches set body = ${body} where seq = ${damaged}`.execute(log.store.db)
      for (let batch = 0; batch < 70; batch += 1) {
        await log.addBatch()
        if (batch > 0) assert.equal(await requestsOf(log, 'a', batch), batch)
      }
      assert.equal(await requestsOf(log, 'b', 60), 60)
      const page = await log.requestLog.requestsOf('a', { after: undefined, limit: 1_000 })
      assert.equal(page.requests.length, 70, 'the page ends at the damaged batch')
      assert(page.next)
      await assert.rejects(
        log.requestLog.requestsOf('a', { after: page.next, limit: 1_000 }),
        /A part of the audit log was damaged/,
      )
      const { rows: marks } = await sql<{ no: number }>`
        select max(no) as no from audit_marks where name like 'indexed%'`.execute(log.store.db)
      assert(Number(marks[0]?.no) >= 72, 'the index has what follows')

      await sql`update audit_batches set body = (select body from backup where seq = ${damaged})
        where seq = ${damaged}`.execute(log.store.db)
      await sql`delete from agent_batches`.execute(log.store.db)
      await sql`delete from audit_marks where name like 'indexed%'`.execute(log.store.db)
      assert.equal(await requestsOf(log, 'a', 1_000), 73, 'after the cure of docs/operations.md')
    })

test('a store whose newest batch is damaged opens, and serves', async () => {
  await using folder = await tempFolder()
  const clock = logClock()
  {
    await using store = await openAdmissionStore(folder.path, clock)
    await store.agents.register(agentCalled('a'), undefined)
    await store.admission.admit(requestOf('a', clock.now()))
    await sql`update audit_batches set body = '{"i":[['`.execute(store.store.db)
  }
  await using store = await openAdmissionStore(folder.path, clock)
  assert.equal((await store.admission.admit(requestOf('a', clock.now()))).kind, 'admitted')
})
