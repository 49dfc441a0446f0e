import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../../../src/durations.ts'
import { count, type KeptLogs } from './kept-log.ts'

export function droppingTests({ open, entriesKept }: KeptLogs): void {
  test('whole days leave the log with their index entries and checkpoints, and the rest can still be verified', async () => {
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
    // It is the 10th of February, half past midnight: January 11th and later stay.
    assert.equal(await count(log, 'audit_batches'), 90)
    assert.equal(await count(log, 'agent_batches'), entriesKept)
    const after = await log.requestLog.requestsOf('a', { after: undefined, limit: 1_000 })
    assert.deepEqual(after.requests, before.requests.slice(0, 90))
    assert.deepEqual(await log.verify(), {
      kind: 'intact',
      batches: 90,
      checkpoints: 90,
      wasAnchored: false,
      anchors: 0,
      anchoredSince: undefined,
      from: '2026-01-11',
      to: '2026-02-09',
    })
    await log.addBatch()
    await log.drop()
    assert.equal((await log.verify()).kind, 'intact')
  })

  test('batches that no checkpoint has signed are not dropped', async () => {
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

  test('daily counts and the counters of users are deleted once nothing reads them any more', async () => {
    await using log = await open()
    for (let day = 0; day < 50; day += 1) {
      await log.addBatch()
      await log.sign()
      log.clock.advance(DAY_MS)
    }
    await log.drop()
    assert.equal(await count(log, 'user_activity'), 2)
    // The latest day of each agent is in the row of its quotas.
    assert.equal(await count(log, 'agent_days'), 2 * 31)
    const { rows } = await sql<{ used: number }>`select count(*) as used from agent_activity`.execute(
      log.store.db,
    )
    assert.equal(Number(rows[0]?.used), 2)
  })
}
