import assert from 'node:assert/strict'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit/seal.ts'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { HOUR_MS } from '../../src/durations.ts'
import { rounds } from '../support/repetitions.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openAdmissionStore, requestOf } from './admission-store.ts'
import { sqliteIntruder } from './intruder.ts'
import { openSampleLog } from './sample-log.ts'
import { chanceFrom, TAMPERINGS } from './tamper-cases.ts'

const TRIES = rounds(8)

/** Nine days of log: the first days are dropped, the last four batches are not signed yet. */
async function writeSample(folder: string): Promise<void> {
  await using log = await openSampleLog(folder, { retentionDays: 6 })
  for (let round = 0; round < 36; round += 1) {
    await log.addBatch()
    log.clock.advance(6 * HOUR_MS)
    await log.sign()
    // Reading extends the index. It is read every 16th round, so the index lacks the last batches.
    if (round % 16 === 15) await log.requestLog.requestsOf('a', { after: undefined, limit: 1 })
  }
  await log.drop()
  for (let batch = 0; batch < 4; batch += 1) await log.addBatch()
}

test(`${TAMPERINGS.length} ways to change the log, ${TRIES} times each: all are detected`, async () => {
  await using folder = await tempFolder()
  await using copied = await tempFolder()
  const copy = copied.path
  await writeSample(folder.path)
  assert.equal((await verifyAudit(folder.path)).kind, 'intact')
  for (const { name, change } of TAMPERINGS) {
    for (let seed = 1; seed <= TRIES; seed += 1) {
      await cp(folder.path, copy, { recursive: true, force: true })
      {
        using database = new DatabaseSync(join(copy, 'stakewright.db'))
        database.exec('pragma journal_mode = memory; pragma synchronous = off')
        await change(sqliteIntruder(database), chanceFrom(seed))
      }
      const verdict = await verifyAudit(copy)
      assert.equal(verdict.kind, 'broken', `${name}, seed ${seed}`)
    }
  }
})

test('a log whose end was cut off stays broken, whatever is appended later', async () => {
  await using folder = await tempFolder()
  await writeSample(folder.path)
  {
    using database = new DatabaseSync(join(folder.path, 'stakewright.db'))
    database.exec('delete from audit_batches where seq = (select max(seq) from audit_batches)')
  }
  {
    await using store = await openAdmissionStore(folder.path, { now: () => Date.UTC(2026, 0, 20) })
    await store.admission.admit(requestOf('a', Date.UTC(2026, 0, 20)))
    await store.upkeep.signNext(Date.UTC(2026, 0, 20), await store.upkeep.newestBatch())
  }
  const verdict = await verifyAudit(folder.path)
  assert.deepEqual(verdict, { kind: 'broken', seq: 41, reason: 'the batches before batch 41 are missing' })
})

test('a log that is verified with another key is broken', async () => {
  await using folder = await tempFolder()
  await writeSample(folder.path)
  await writeFile(join(folder.path, AUDIT_KEY_FILE), 'a secret that somebody else has made up')
  assert.equal((await verifyAudit(folder.path)).kind, 'broken')
})

test('an empty log is intact', async () => {
  await using folder = await tempFolder()
  await using _log = await openSampleLog(folder.path)
  const verdict = await verifyAudit(folder.path)
  assert(verdict.kind === 'intact')
  assert.deepEqual(
    [verdict.batches, verdict.checkpoints, verdict.from, verdict.to],
    [0, 0, undefined, undefined],
  )
})

test('a log is intact when it is verified while the service writes it', async () => {
  await using folder = await tempFolder()
  await using log = await openSampleLog(folder.path)
  for (let round = 0; round < 20; round += 1) {
    const [verdict] = await Promise.all([verifyAudit(folder.path), log.addBatch(), log.addBatch()])
    assert.equal(verdict.kind, 'intact')
  }
})
