import { sql } from 'kysely'
import type { Leases } from '#ports/stores/leases.ts'
import type { Database } from '../schema.ts'
import { STORE_NOW } from '../store-time.ts'

type Needs = { readonly db: Database; readonly instance: string }

/**
 * A lease is a row; one statement acquires or renews it, so no two instances hold the same one. A lease that
 * ends later than anybody may ask for was written while the store's clock was ahead, and counts as free.
 */
export function postgresLeases({ db, instance }: Needs): Leases {
  return {
    async hold(name, forMs) {
      const until = sql`clock_timestamp() + ${forMs} * interval '1 millisecond'`
      const { rows } = await sql<{ held: number; now: number }>`
        with taken as (
          insert into leases (name, holder, held_until) values (${name}, ${instance}, ${until})
          on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
            where leases.holder = excluded.holder or leases.held_until <= clock_timestamp()
              or leases.held_until > clock_timestamp() + ${forMs} * interval '2 milliseconds'
          returning name
        )
        select (select count(*) from taken) as held, ${STORE_NOW} as now`.execute(db)
      const [{ held, now } = { held: 0, now: 0 }] = rows
      return { isHeld: held > 0, storeNow: now }
    },
    async release(name) {
      await sql`delete from leases where name = ${name} and holder = ${instance}`.execute(db)
    },
  }
}
