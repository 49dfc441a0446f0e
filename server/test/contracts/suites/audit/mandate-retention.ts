import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../../src/durations.ts'
import type { KeptLog, KeptLogs } from './kept-log.ts'

/** Adds an approval and a reservation of this moment. */
async function addMandates({ store: { db }, clock }: KeptLog, name: string): Promise<void> {
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
  const items = { epoch: 1, sender: null, items: '[]' }
  await db
    .insertInto('reservations')
    .values({ ...agent, ...items, at })
    .execute()
}

async function mandatesIn({ store: { db } }: KeptLog) {
  const names = async (table: 'approvals' | 'reservations') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
  return { approvals: await names('approvals'), reservations: await names('reservations') }
}

export function mandateTests({ open }: KeptLogs): void {
  const passDays = async (log: KeptLog, days: number) => {
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
    await passDays(log, 40)
    await addMandates(log, '2')
    assert.deepEqual(await mandatesIn(log), { approvals: ['1', '2'], reservations: ['1', '2'] })
    await passDays(log, 1)
    assert.deepEqual((await mandatesIn(log)).reservations, ['2'])
    await passDays(log, 50)
    assert.deepEqual(await mandatesIn(log), { approvals: ['1', '2'], reservations: [] })
    await passDays(log, 1)
    assert.deepEqual((await mandatesIn(log)).approvals, ['2'])
  })

  test('a clock that is far ahead for some days deletes neither approvals nor reservations', async () => {
    await using log = await open()
    await log.addBatch()
    await passDays(log, 3)
    await addMandates(log, '1')
    log.clock.advance(400 * DAY_MS)
    await passDays(log, 3)
    log.clock.advance(-403 * DAY_MS)
    await passDays(log, 1)
    assert.deepEqual(await mandatesIn(log), { approvals: ['1'], reservations: ['1'] })
  })
}
