import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openPostgresTraffic } from '#adapters/sql/postgres/traffic.ts'
import { openTestPostgres } from '../support/services/test-postgres.ts'
import { testClock } from '../support/test-clock.ts'
import { PER_MINUTE, trafficCountersSuite } from './suites/traffic-counters.ts'

trafficCountersSuite('Postgres', async () => {
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openTestPostgres())
  const resources = opened.move()
  let opens = 0
  return {
    open(clock) {
      opens += 1
      const needs = { store, clock, instance: `instance ${opens}`, perMinute: PER_MINUTE }
      return resources.use(openPostgresTraffic(needs))
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
})

test('counts that are old or far ahead are all deleted, and no request waits for that', async () => {
  await using store = await openTestPostgres()
  const clock = testClock()
  const [old, ahead] = [clock.now() - 3_600_000, clock.now() + 86_400_000]
  for (const minute of [old, ahead]) {
    await sql`insert into address_hits (minute, high, low, hits)
      select ${minute}, 1, low, 1 from generate_series(1, 10000) as low`.execute(store.db)
  }
  const count = async () => {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from address_hits`.execute(store.db)
    return rows[0]?.rows
  }
  {
    await using traffic = openPostgresTraffic({ store, clock, instance: 'one', perMinute: PER_MINUTE })
    await store.db.transaction().execute(async (transaction) => {
      // Locks the old rows: no sweep can end while this transaction is open.
      await sql`select 1 from address_hits where minute = ${old} for update`.execute(transaction)
      const { ofAddresses } = await traffic.count([{ low: 1, high: 7, hits: 1 }])
      assert.deepEqual(ofAddresses, [1])
    })
  }
  assert.equal(await count(), 1)
})
