import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '../../../../src/durations.ts'
import { silentLogger } from '../../../support/silent-logger.ts'
import { count, type KeptLog, type KeptLogs } from './kept-log.ts'

/** Ten days with a batch each, of which retention has left the last six. */
async function openTenDays({ open }: KeptLogs, warnings: string[] = []) {
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
const countAll = async (log: KeptLog) =>
  (await count(log, 'audit_batches')) + (await count(log, 'user_activity')) + (await count(log, 'agent_days'))

export function wrongClockTests(store: KeptLogs): void {
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

  test('after the clock was put right old days leave again, and so do batches with wrong days', async () => {
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

  test('a jump of the clock is accepted after seven days of use', async () => {
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
