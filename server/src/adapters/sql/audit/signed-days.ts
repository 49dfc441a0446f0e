import { sql } from 'kysely'
import type { Database } from '../schema.ts'

/** The distinct days of all checkpoints, ascending. Skips over the index: a day has many checkpoints. */
export async function signedDays(db: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ day: number }>`
    with recursive days(day) as (
      select min(day) from audit_checkpoints
      union all
      select (select min(day) from audit_checkpoints where day > days.day) from days where day is not null
    )
    select day from days where day is not null`.execute(db)
  return rows.map(({ day }) => day)
}
