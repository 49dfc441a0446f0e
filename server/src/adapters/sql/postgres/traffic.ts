import { sql } from 'kysely'
import type { Clock } from '#ports/clock.ts'
import type { AddressHits, TrafficCount, TrafficCounters } from '#ports/stores/traffic-counters.ts'
import { CLOCK_STEP_MS, MINUTE_MS } from '../../../durations.ts'
import type { Database } from '../schema.ts'
import { openDedicatedConnection } from './connections/dedicated-connection.ts'
import { arrayLiteral, type Statement } from './connections/round-trip.ts'
import type { PostgresStore } from './open.ts'

/** Interval at which counts of past minutes are deleted. */
const SWEEP_EVERY_MS = 20_000

/**
 * One statement counts the requests of all given addresses and adds those within their limit to this
 * instance's row of the second: a row per instance, so that instances do not wait for each other. After a
 * small step back of the clock the newest minute stays current; minutes further ahead were written while the
 * clock was wrong.
 */
const COUNT: Statement = {
  name: 'count-traffic',
  text: `
    with clock as (
      select coalesce($5::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint) as now
    ), present as (
      select now, now / 1000 as second, greatest(
        now - now % ${MINUTE_MS},
        (select max(minute) from address_hits where minute <= clock.now + ${CLOCK_STEP_MS})
      ) as minute from clock
    ), asked as (
      select * from unnest($1::bigint[], $2::bigint[], $3::integer[]) with ordinality as a(high, low, hits, place)
    ), counted as (
      insert into address_hits as h (minute, high, low, hits)
      select minute, high, low, hits from asked, present order by high, low
      on conflict (minute, high, low) do update set hits = h.hits + excluded.hits
      returning high, low, hits
    ), passed as (
      select coalesce(sum(least(a.hits, greatest(0, $4::integer - (c.hits - a.hits)))), 0)::integer as hits
      from counted c join asked a using (high, low)
    ), noted as (
      insert into traffic_seconds as t (second, instance, hits)
      select second, $6, hits from present, passed
      on conflict (second, instance) do update set hits = t.hits + excluded.hits
    )
    select json_build_object(
      'now', now,
      'minuteEndsAt', minute + ${MINUTE_MS},
      'ofAddresses', (select coalesce(json_agg(c.hits order by place), '[]') from asked join counted c using (high, low)),
      'before', (select coalesce(sum(hits), 0) from traffic_seconds
        where second > present.second - 60 and second <= present.second)
    ) from present`,
}
/** Rows deleted per statement: a flood of addresses leaves a million of them. */
const SWEEP_ROWS = 2_000
/** Counts outside of this range are deleted: older than any that is read, or further ahead than a clock step. */
const KEPT_MS = 120_000
const AHEAD_MS = 600_000

type Needs = {
  readonly store: PostgresStore
  readonly clock: Clock
  readonly instance: string
  readonly perMinute: number
}

/** Traffic counters of all instances in Postgres, used without Redis. */
export function openPostgresTraffic(needs: Needs): TrafficCounters & AsyncDisposable {
  const { store, clock, instance, perMinute } = needs
  const dedicated = openDedicatedConnection(store)
  let sweptAt = 0
  let sweeping = Promise.resolve()

  /** Runs in the background on a pooled connection; the next sweep continues. */
  function sweepIfDue(now: number): void {
    if (Math.abs(now - sweptAt) < SWEEP_EVERY_MS) return
    sweptAt = now
    sweeping = sweep(store.db, now).catch(() => undefined)
  }

  return {
    async count(hits) {
      const session = await dedicated.session()
      const now = clock.now()
      const values = [...toColumns(hits), perMinute, clock.follow ? null : now, instance]
      try {
        const [count] = await session.send([[COUNT, values]])
        sweepIfDue(now)
        return toCount(count)
      } catch (error) {
        session.drop()
        throw error
      }
    },
    async [Symbol.asyncDispose]() {
      await sweeping
      await dedicated[Symbol.asyncDispose]()
    },
  }
}

/** At most a hundred steps, so that a sweep does not delay shutdown. */
async function sweep(db: Database, now: number): Promise<void> {
  for (let step = 0; step < 100; step += 1) {
    const { numAffectedRows } = await sql`
      delete from address_hits where (minute, high, low) in (
        select minute, high, low from address_hits
        where minute < ${now - KEPT_MS} or minute > ${now + AHEAD_MS} limit ${sql.lit(SWEEP_ROWS)}
      )`.execute(db)
    if (Number(numAffectedRows ?? 0) < SWEEP_ROWS) break
  }
  const [oldest, newest] = [now - KEPT_MS, now + AHEAD_MS].map((at) => Math.floor(at / 1000))
  await sql`delete from traffic_seconds where second < ${oldest} or second > ${newest}`.execute(db)
}

const toColumns = (hits: readonly AddressHits[]) => [
  arrayLiteral(hits.map(({ high }) => high)),
  arrayLiteral(hits.map(({ low }) => low)),
  arrayLiteral(hits.map((address) => address.hits)),
]

/** `COUNT` answers in this form. */
function toCount(answer: unknown): TrafficCount {
  return answer as TrafficCount
}
