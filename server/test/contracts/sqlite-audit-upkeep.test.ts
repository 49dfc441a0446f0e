import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { DAY_MS } from '../../src/durations.ts'
import { BATCHES_PER_ENTRY, type LogOptions, openSampleLog } from '../limits/sample-log.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { auditUpkeepSuite } from './suites/audit/upkeep.ts'

async function open(options: LogOptions = {}) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const log = opened.use(await openSampleLog(folder.path, options))
  const resources = opened.move()
  const verify = () => verifyAudit(folder.path)
  return { ...log, verify, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

auditUpkeepSuite('SQLite', {
  open,
  // An entry has 64 batches: with 30 of 120 batches dropped, both entries of both agents stay.
  entriesKept: 2 * 2,
})

const countBatches = async ({ store }: Awaited<ReturnType<typeof open>>) =>
  (await store.db.selectFrom('audit_batches').select('seq').execute()).length

test('an entry of the index is dropped with the last of its batches', async () => {
  await using log = await open({ retentionDays: 1 })
  for (let batch = 0; batch < 2 * BATCHES_PER_ENTRY + 2; batch += 1) await log.addBatch()
  const entries = async () =>
    (await log.store.db.selectFrom('agent_batches').select('last_seq').distinct().execute()).map(
      ({ last_seq }) => last_seq,
    )
  assert.deepEqual(await entries(), [BATCHES_PER_ENTRY, 2 * BATCHES_PER_ENTRY])
  for (let day = 0; day < 3; day += 1) {
    log.clock.advance(DAY_MS)
    await log.addBatch()
  }
  await log.requestLog.requestsOf('a', { after: undefined, limit: 1 })
  await log.sign()
  await log.drop()
  assert.deepEqual(await entries(), [2 * BATCHES_PER_ENTRY + 5])
})

test('a backlog is signed and dropped in steps between which requests are served', async () => {
  await using log = await open({ retentionDays: 1 })
  const backlog = 1_200
  for (let batch = 0; batch < backlog; batch += 1) await log.addBatch()
  for (let day = 0; day < 3; day += 1) {
    log.clock.advance(DAY_MS)
    await log.addBatch()
  }
  await log.sign()
  let isDropping = true
  const served: number[] = []
  const dropping = log.drop().finally(() => {
    isDropping = false
  })
  while (isDropping) {
    await log.addBatch()
    served.push(await countBatches(log))
  }
  await dropping
  const partly = served.filter((count) => count > served.length + 1 && count < backlog)
  assert(partly.length > 0, `seen while dropping: ${served.join()}`)
})

test('rows that have expired are dropped in steps between which requests are served', async () => {
  await using log = await open()
  const { db } = log.store
  await log.addBatch()
  await log.sign()
  const backlog = 3_500
  await sql`insert into verifications (token_digest, agent_no, expires_at)
    select value, 1, 0 from json_each(${JSON.stringify(Array.from({ length: backlog }, (_, at) => at))})`.execute(
    db,
  )
  const left: number[] = []
  const dropping = log.drop()
  do {
    await nextTurnOfEventLoop()
    left.push((await db.selectFrom('verifications').select('agent_no').execute()).length)
  } while (left.at(-1))
  await dropping
  assert(
    left.some((count) => count > 0 && count < backlog),
    left.join(),
  )
})
