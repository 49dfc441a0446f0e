import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { suite, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { checkpointText } from '#adapters/sql/audit/checkpoint.ts'
import type { AuditSeal } from '#adapters/sql/audit/seal.ts'
import type { AuditVerdict } from '#adapters/sql/audit/verdict.ts'
import type { Schema } from '#adapters/sql/schema.ts'
import { jsonLogger } from '#adapters/system/logs/json-logger.ts'
import type { LogFields } from '#ports/logger.ts'
import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import type { RequestLog } from '#ports/stores/request-log.ts'
import { DAY_MS, HOUR_MS } from '../../../src/durations.ts'
import type { LogOptions } from '../../limits/sample-log.ts'
import { silentLogger } from '../../support/silent-logger.ts'
import type { TestClock } from '../../support/test-clock.ts'

/** A log that one instance writes, and what keeps it. */
type Log = AsyncDisposable & {
  readonly store: { readonly db: Kysely<Schema> }
  readonly clock: TestClock
  readonly seal: AuditSeal
  readonly requestLog: RequestLog
  addBatch(): Promise<void>
  sign(): Promise<void>
  drop(): Promise<void>
  verify(): Promise<AuditVerdict>
}

type Store = {
  readonly open: (options?: LogOptions) => Promise<Log>
  /** The index of agents, and how many entries the last 90 of 120 batches have, each of which speaks of two. */
  readonly index: { readonly table: 'audit_agents' | 'agent_batches'; readonly entriesKept: number }
}

const count = async (
  { store }: Log,
  table: 'audit_batches' | 'audit_agents' | 'agent_batches' | 'agent_days' | 'user_activity',
) => (await store.db.selectFrom(table).selectAll().execute()).length

/** What everything that keeps an audit log guarantees. */
export function auditUpkeepSuite(name: string, store: Store): void {
  suite(`audit upkeep: ${name}`, () => {
    signingTests(store)
    busyLogTest(store)
    droppingTests(store)
    wrongClockTests(store)
    mandateTests(store)
  })
}

/** An approval that was asked for now, and a reservation that was made now. */
async function addMandates({ store: { db }, clock }: Log, name: string): Promise<void> {
  const { no } = await db.selectFrom('agents').select('no').orderBy('no').executeTakeFirstOrThrow()
  const at = clock.now()
  const agent = { id: name, agent_no: no, intent_id: name, expires_at: at + DAY_MS }
  const wish = { wish_hash: name, wish: '{}', reason: '{}', state: 'waiting' }
  const decision = { decided_at: null, decided_by: null, decided_role: null }
  const numbered = { no: Number(name), created_at: at }
  await db
    .insertInto('approvals')
    .values({ ...agent, ...wish, ...decision, ...numbered })
    .execute()
  const items = { epoch: 1, sender: null, items: '[]', is_free: 0 }
  await db
    .insertInto('reservations')
    .values({ ...agent, ...items, at })
    .execute()
}

async function mandatesIn({ store: { db } }: Log) {
  const names = async (table: 'approvals' | 'reservations') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
  return { approvals: await names('approvals'), reservations: await names('reservations') }
}

function mandateTests({ open }: Store): void {
  const live = async (log: Log, days: number) => {
    for (let day = 0; day < days; day += 1) {
      log.clock.advance(DAY_MS)
      await log.addBatch()
      await log.sign()
      await log.drop()
    }
  }

  test('approvals leave 90 days after they expired, reservations 40 days after they were made, and none earlier', async () => {
    await using log = await open()
    await log.addBatch()
    await addMandates(log, '1')
    await live(log, 40)
    await addMandates(log, '2')
    assert.deepEqual(await mandatesIn(log), { approvals: ['1', '2'], reservations: ['1', '2'] })
    await live(log, 1)
    assert.deepEqual((await mandatesIn(log)).reservations, ['2'])
    await live(log, 50)
    assert.deepEqual(await mandatesIn(log), { approvals: ['1', '2'], reservations: [] })
    await live(log, 1)
    assert.deepEqual((await mandatesIn(log)).approvals, ['2'])
  })

  test('a clock that is far ahead for some days removes neither', async () => {
    await using log = await open()
    await log.addBatch()
    await live(log, 3)
    await addMandates(log, '1')
    log.clock.advance(400 * DAY_MS)
    await live(log, 3)
    log.clock.advance(-403 * DAY_MS)
    await live(log, 1)
    assert.deepEqual(await mandatesIn(log), { approvals: ['1'], reservations: ['1'] })
  })
}

function signingTests({ open }: Store): void {
  test('every hour is signed once, with the hash of the hour before, and the line in the log is enough to check it', async () => {
    const lines: LogFields[] = []
    const logger = {
      ...silentLogger,
      info: (event: string, fields: LogFields = {}) => {
        if (event === 'audit checkpoint') lines.push(readLine(jsonLine(event, fields)))
      },
    }
    await using log = await open({ logger })
    await log.sign()
    assert.equal(lines.length, 0)
    for (let hour = 0; hour < 3; hour += 1) {
      for (let batch = 0; batch < 3; batch += 1) {
        await log.addBatch()
        await log.sign()
      }
      log.clock.advance(HOUR_MS)
    }
    const checkpoints = lines.map(toCheckpoint)
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
    const key = createPublicKey({
      key: Buffer.from(log.seal.publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    })
    for (const line of lines) {
      const signature = Buffer.from(toCheckpoint(line).signature, 'base64')
      assert(verify(null, Buffer.from(checkpointText(toCheckpoint(line))), key, signature))
    }
    assert.equal((await log.verify()).kind, 'intact')
  })

  test('a checkpoint never reaches over midnight, so that whole days can be dropped', async () => {
    await using log = await open({ retentionDays: 1 })
    for (const hours of [1, 21, 3, 1, 24]) {
      await log.addBatch()
      log.clock.advance(hours * HOUR_MS)
    }
    await log.sign()
    const signed = await log.store.db
      .selectFrom('audit_checkpoints')
      .select(['first_seq', 'last_seq'])
      .execute()
    assert.deepEqual(
      signed.map(({ first_seq, last_seq }) => [first_seq, last_seq]),
      [
        [1, 3],
        [4, 5],
      ],
    )
    await log.drop()
    assert.equal(await count(log, 'audit_batches'), 2)
  })
}

function busyLogTest({ open }: Store): void {
  test('signing a log that goes on growing comes to an end', async () => {
    let signed = 0
    const logger = {
      ...silentLogger,
      info(event: string) {
        if (event === 'audit checkpoint') signed += 1
      },
    }
    await using log = await open({ logger })
    for (let batch = 0; batch < 3; batch += 1) await log.addBatch()
    let isOver = false
    const signing = log.sign().finally(() => {
      isOver = true
    })
    for (let added = 0; !isOver; added += 1) {
      assert(added < 500, 'signing runs after what is logged meanwhile')
      await log.addBatch()
    }
    await signing
    assert.equal(signed, 1)
    assert.equal((await log.verify()).kind, 'intact')
  })
}

function droppingTests({ open, index }: Store): void {
  test('whole days leave the log, with everything that spoke of them, and the rest can still be verified', async () => {
    await using log = await open({ retentionDays: 30 })
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
    assert.equal(await count(log, index.table), index.entriesKept)
    const after = await log.requestLog.requestsOf('a', { after: undefined, limit: 1_000 })
    assert.deepEqual(after.requests, before.requests.slice(0, 90))
    assert.deepEqual(await log.verify(), {
      kind: 'intact',
      batches: 90,
      checkpoints: 90,
      from: '2026-01-11',
      to: '2026-02-09',
    })
    await log.addBatch()
    await log.drop()
    assert.equal((await log.verify()).kind, 'intact')
  })

  test('what no checkpoint has signed is not dropped', async () => {
    await using log = await open({ retentionDays: 1 })
    for (let day = 0; day < 10; day += 1) {
      await log.addBatch()
      log.clock.advance(DAY_MS)
    }
    await log.drop()
    assert.equal(await count(log, 'audit_batches'), 10)
    await log.sign()
    await log.drop()
    assert.equal(await count(log, 'audit_batches'), 1)
    assert.equal((await log.verify()).kind, 'intact')
  })

  test('daily counts and the counters of users go when nothing looks at them any more', async () => {
    await using log = await open()
    for (let day = 0; day < 50; day += 1) {
      await log.addBatch()
      await log.sign()
      log.clock.advance(DAY_MS)
    }
    await log.drop()
    assert.equal(await count(log, 'user_activity'), 2)
    assert.equal(await count(log, 'agent_days'), 2 * 32)
    const { rows } = await sql<{ used: number }>`select count(*) as used from agent_activity`.execute(
      log.store.db,
    )
    assert.equal(Number(rows[0]?.used), 2)
  })
}

/** Ten days with a batch each, of which retention has left the last six. */
async function openTenDays({ open }: Store, warnings: string[] = []) {
  const logger = { ...silentLogger, warn: (event: string) => void warnings.push(event) }
  const log = await open({ retentionDays: 5, logger })
  for (let day = 0; day < 10; day += 1) {
    if (day > 0) log.clock.advance(DAY_MS)
    await log.addBatch()
    await log.sign()
  }
  await log.drop()
  assert.equal(await count(log, 'audit_batches'), 6)
  return log
}

/** Batches, user counters and daily counts: everything that retention may remove. */
const countAll = async (log: Log) =>
  (await count(log, 'audit_batches')) + (await count(log, 'user_activity')) + (await count(log, 'agent_days'))

function wrongClockTests(store: Store): void {
  test('a clock that is days, 95 days or 400 days ahead or behind removes nothing', async () => {
    const warnings: string[] = []
    await using log = await openTenDays(store, warnings)
    for (const days of [2, 95, 400, -3, -12, -400]) {
      log.clock.advance(days * DAY_MS)
      await log.drop()
      await log.addBatch()
      await log.sign()
      const before = await countAll(log)
      await log.drop()
      assert.equal(await countAll(log), before, `${days} days`)
      log.clock.advance(-days * DAY_MS)
    }
    assert.equal(await count(log, 'audit_batches'), 12)
    assert(warnings.some((line) => line.startsWith('the clock jumped ahead')))
    assert(warnings.some((line) => line.startsWith('the audit log has days of the future')))
    assert.equal((await log.verify()).kind, 'intact')
  })

  test('after the clock was put right old days leave again, and what it had labelled wrongly with them', async () => {
    await using log = await openTenDays(store)
    for (const days of [400, -12]) {
      log.clock.advance(days * DAY_MS)
      await log.addBatch()
      await log.sign()
      log.clock.advance(-days * DAY_MS)
    }
    for (let day = 0; day < 20; day += 1) {
      await log.addBatch()
      log.clock.advance(DAY_MS)
      await log.sign()
      await log.drop()
    }
    const today = Math.floor(log.clock.now() / DAY_MS)
    const { rows } = await sql`select seq from audit_batches where day < ${today - 6}`.execute(log.store.db)
    assert.equal(rows.length, 0)
    assert.equal((await log.verify()).kind, 'intact')
  })

  test('a jump of the clock is believed after seven days of use', async () => {
    await using log = await openTenDays(store)
    log.clock.advance(95 * DAY_MS)
    for (let day = 1; day <= 7; day += 1) {
      await log.addBatch()
      await log.sign()
      await log.drop()
      assert.equal(await count(log, 'audit_batches'), day < 7 ? 6 + day : 6, `day ${day}`)
      log.clock.advance(DAY_MS)
    }
    assert.equal((await log.verify()).kind, 'intact')
  })
}

/** Guaranteed by the job: the line is the checkpoint. */
/** The line as the service writes it, through everything that is removed from a log. */
function jsonLine(event: string, fields: LogFields): string {
  const written: string[] = []
  jsonLogger({ level: 'info', output: { write: (line) => void written.push(line) } }).info(event, fields)
  return written.join('')
}

/** The fields of a checkpoint in the log; its hashes are marked as such there. */
function readLine(line: string): LogFields {
  const { level: _level, time: _time, event: _event, ...fields } = JSON.parse(line)
  for (const name of ['root', 'previous', 'hash']) {
    const [mark, hash] = String(fields[name]).split(':')
    assert.equal(mark, 'sha256')
    fields[name] = hash
  }
  return fields
}

function toCheckpoint(line: LogFields): AuditCheckpoint {
  return line as unknown as AuditCheckpoint
}
