import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { checkpointText } from '#adapters/sql/audit-checkpoints.ts'
import { verifyAudit } from '#adapters/sql/audit-verify.ts'
import type { AuditCheckpoint } from '#ports/audit-upkeep.ts'
import type { LogFields } from '#ports/logger.ts'
import { silentLogger } from '../silent-logger.ts'
import { tempFolder } from '../temp-folder.ts'
import { openSampleLog } from './sample-log.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

type Log = Awaited<ReturnType<typeof openSampleLog>>

const count = async (
  { store }: Log,
  table: 'audit_batches' | 'audit_agents' | 'agent_days' | 'user_activity',
) => (await store.db.selectFrom(table).selectAll().execute()).length

test('every hour is signed once, with the hash of the hour before, and the line in the log is enough to check it', async () => {
  await using folder = await tempFolder()
  const lines: LogFields[] = []
  const logger = {
    ...silentLogger,
    info: (event: string, fields: LogFields = {}) => {
      if (event === 'audit checkpoint') lines.push(fields)
    },
  }
  await using log = await openSampleLog(folder.path, { logger })
  await log.sign()
  assert.equal(lines.length, 0)
  for (let hour = 0; hour < 3; hour += 1) {
    for (let batch = 0; batch < 3; batch += 1) {
      await log.addBatch()
      await log.sign()
    }
    log.clock.advance(HOUR_MS)
  }
  const checkpoints = lines.map((line) => line as unknown as AuditCheckpoint)
  // The first batch of an hour is signed with all that came before it and after the last signature.
  assert.deepEqual(
    checkpoints.map(({ no, firstSeq, lastSeq }) => [no, firstSeq, lastSeq]),
    [
      [1, 1, 1],
      [2, 2, 4],
      [3, 5, 7],
    ],
  )
  assert.deepEqual(
    checkpoints.map(({ previous }) => previous),
    ['0'.repeat(64), checkpoints[0]?.hash, checkpoints[1]?.hash],
  )
  const key = createPublicKey({ key: Buffer.from(log.seal.publicKey, 'base64'), format: 'der', type: 'spki' })
  for (const checkpoint of checkpoints) {
    const signature = Buffer.from(checkpoint.signature, 'base64')
    assert(verify(null, Buffer.from(checkpointText(checkpoint)), key, signature))
  }
  assert.equal((await verifyAudit(folder.path)).kind, 'intact')
})

test('whole days leave the log, with everything that spoke of them, and the rest can still be verified', async () => {
  await using folder = await tempFolder()
  await using log = await openSampleLog(folder.path, { retentionDays: 30 })
  for (let day = 0; day < 40; day += 1) {
    for (let batch = 0; batch < 3; batch += 1) {
      await log.addBatch()
      log.clock.advance(8 * HOUR_MS)
      await log.sign()
    }
  }
  const before = await log.requestLog.requestsOf('a', { after: undefined, limit: 1_000 })
  assert.equal(before.requests.length, 120)
  assert.equal(await count(log, 'audit_batches'), 120)
  await log.drop()
  // It is the 10th of February, half past midnight: January 11th and later stays.
  assert.equal(await count(log, 'audit_batches'), 90)
  assert.equal(await count(log, 'audit_agents'), 180)
  const after = await log.requestLog.requestsOf('a', { after: undefined, limit: 1_000 })
  assert.deepEqual(after.requests, before.requests.slice(0, 90))
  assert.deepEqual(await verifyAudit(folder.path), {
    kind: 'intact',
    batches: 90,
    checkpoints: 91,
    from: '2026-01-11',
    to: '2026-02-09',
  })
  await log.addBatch()
  await log.drop()
  assert.equal((await verifyAudit(folder.path)).kind, 'intact')
})

test('what no checkpoint has signed is not dropped', async () => {
  await using folder = await tempFolder()
  await using log = await openSampleLog(folder.path, { retentionDays: 1 })
  await log.addBatch()
  log.clock.advance(10 * DAY_MS)
  await log.drop()
  assert.equal(await count(log, 'audit_batches'), 1)
  await log.sign()
  await log.drop()
  assert.equal(await count(log, 'audit_batches'), 0)
  assert.equal((await verifyAudit(folder.path)).kind, 'intact')
})

test('batches of a clock that was wrong neither stay for ever nor take others with them', async () => {
  await using folder = await tempFolder()
  await using log = await openSampleLog(folder.path, { retentionDays: 5 })
  for (const jump of [0, 3_650 * DAY_MS, -3_650 * DAY_MS, -7_300 * DAY_MS, 7_300 * DAY_MS]) {
    log.clock.advance(jump)
    await log.addBatch()
    await log.sign()
  }
  await log.drop()
  assert.equal(await count(log, 'audit_batches'), 5)
  log.clock.advance(6 * DAY_MS)
  await log.sign()
  await log.drop()
  assert.equal(await count(log, 'audit_batches'), 0)
})

test('a backlog is signed and dropped in steps between which requests are served', async () => {
  await using folder = await tempFolder()
  await using log = await openSampleLog(folder.path, { retentionDays: 1 })
  for (let batch = 0; batch < 1_200; batch += 1) await log.addBatch()
  await log.sign()
  log.clock.advance(3 * DAY_MS)
  let steps = 0
  const served: number[] = []
  const dropping = log.drop().finally(() => {
    steps = -1
  })
  while (steps >= 0) {
    await log.addBatch()
    served.push(await count(log, 'audit_batches'))
    steps = steps < 0 ? steps : steps + 1
  }
  await dropping
  assert(new Set(served).size > 3, `seen while dropping: ${served.join()}`)
})

test('daily counts and the counters of users go when nothing looks at them any more', async () => {
  await using folder = await tempFolder()
  await using log = await openSampleLog(folder.path)
  for (let day = 0; day < 50; day += 1) {
    await log.addBatch()
    log.clock.advance(DAY_MS)
  }
  await log.drop()
  assert.equal(await count(log, 'user_activity'), 2)
  assert.equal(await count(log, 'agent_days'), 2 * 32)
  const { rows } = await sql<{ used: number }>`select count(*) as used from agent_activity`.execute(
    log.store.db,
  )
  assert.equal(rows[0]?.used, 2)
})
