import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { verifyLog } from '#adapters/sql/audit/verify/verify.ts'
import { postgresLog, verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { HOUR_MS } from '../../src/durations.ts'
import { rounds } from '../support/repetitions.ts'
import { postgresIntruder } from './intruder.ts'
import { openPostgresSampleLog } from './postgres-sample-log.ts'
import { chanceFrom, TAMPERINGS } from './tamper-cases.ts'

const TRIES = rounds(8)

/** Nine days of log by two instances: the first days are dropped, the last batches are not signed yet. */
async function openLog() {
  const log = await openPostgresSampleLog({ retentionDays: 6 })
  for (let round = 0; round < 36; round += 1) {
    await log.addBatch()
    if (round % 3 === 0) await log.addElsewhere()
    log.clock.advance(6 * HOUR_MS)
    await log.sign()
  }
  await log.drop()
  for (let batch = 0; batch < 4; batch += 1) {
    // The index lags two batches behind.
    if (batch === 2) await log.readRequests()
    await Promise.all([log.addBatch(), log.addElsewhere()])
  }
  return log
}

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

test(`${TAMPERINGS.length} ways to change the log, ${TRIES} times each: all are detected`, async () => {
  await using log = await openLog()
  await using opened = await connect(log.store.url)
  const { client } = opened
  assert.equal((await log.verify()).kind, 'intact')
  for (const { name, change } of TAMPERINGS) {
    for (let seed = 1; seed <= TRIES; seed += 1) {
      await client.query('begin')
      await change(postgresIntruder(client), chanceFrom(seed))
      const verdict = await verifyLog(postgresLog(client, log.seal), log.seal)
      await client.query('rollback')
      assert.equal(verdict.kind, 'broken', `${name}, seed ${seed}`)
    }
  }
  assert.equal((await log.verify()).kind, 'intact')
})

test('a log whose end was cut off stays broken, whatever is appended or dropped later', async () => {
  await using log = await openLog()
  await using opened = await connect(log.store.url)
  await opened.client.query('delete from audit_batches where seq = (select max(seq) from audit_batches)')
  for (let round = 0; round < 4; round += 1) {
    assert.equal((await log.verify()).kind, 'broken', `round ${round}`)
    await Promise.all([log.addBatch(), log.addElsewhere()])
    log.clock.advance(48 * HOUR_MS)
    await log.sign()
    await log.drop()
  }
})

test('a chain that was removed from the log is still reported after other chains begin and end', async () => {
  await using log = await openLog()
  await using opened = await connect(log.store.url)
  const intruder = postgresIntruder(opened.client)
  const chains = new Set((await intruder.batches()).map(({ end }) => end))
  const [, second = ''] = [...chains].filter((end) => end.startsWith('end 20462 '))
  await intruder.run("delete from audit_batches where 'end ' || day || ' ' || instance = ?", second)
  await intruder.run('delete from audit_marks where name = ?', second)
  for (let round = 0; round < 3; round += 1) {
    const verdict = await log.verify()
    assert(verdict.kind === 'broken')
    assert.match(verdict.reason, /a chain of the log is missing/)
    log.clock.advance(24 * HOUR_MS)
    await Promise.all([log.addBatch(), log.addElsewhere()])
    await log.sign()
  }
})

test('a log that is verified with another key is broken', async () => {
  await using log = await openLog()
  const stranger = auditSeal('a secret that somebody else has made up')
  assert.equal((await verifyPostgresAudit(log.store.url, stranger)).kind, 'broken')
})

test('an empty log is intact', async () => {
  await using log = await openPostgresSampleLog()
  const verdict = await log.verify()
  assert(verdict.kind === 'intact')
  assert.deepEqual(
    [verdict.batches, verdict.checkpoints, verdict.from, verdict.to],
    [0, 0, undefined, undefined],
  )
})

test('a log is intact when it is verified while instances write it', async () => {
  await using log = await openPostgresSampleLog()
  for (let round = 0; round < 20; round += 1) {
    const work = [log.addBatch(), log.addElsewhere(), log.sign(), log.readRequests()]
    const [verdict] = await Promise.all([log.verify(), ...work])
    assert.equal(verdict.kind, 'intact')
    log.clock.advance(7 * HOUR_MS)
  }
})
