import { sql } from 'kysely'
import type { Leases } from '#ports/leases.ts'
import type { Database } from './schema.ts'

type Needs = { readonly db: Database; readonly instance: string }

/** A lease is a row: taking and prolonging it is one statement, so two instances never hold the same. */
export function postgresLeases({ db, instance }: Needs): Leases {
  return {
    async hold(name, forMs) {
      const until = sql`clock_timestamp() + ${forMs} * interval '1 millisecond'`
      const { rows } = await sql`
        insert into leases (name, holder, held_until) values (${name}, ${instance}, ${until})
        on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
          where leases.holder = excluded.holder or leases.held_until <= clock_timestamp()
        returning name`.execute(db)
      return rows.length > 0
    },
    async release(name) {
      await sql`delete from leases where name = ${name} and holder = ${instance}`.execute(db)
    },
  }
}
