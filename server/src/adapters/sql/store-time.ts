import { sql } from 'kysely'
import type { Clock } from '#ports/clock.ts'
import { isPostgres } from './engine.ts'
import type { Database } from './schema.ts'

/** Milliseconds since 1970 by the clock of the Postgres server, at this point of the statement. */
export const STORE_NOW = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Tells the clock what time it is in a store that many instances share; the embedded store has no clock of its own. */
export async function hearStoreTime(db: Database, clock: Clock): Promise<void> {
  if (!clock.follow || !isPostgres(db)) return
  const { rows } = await sql<{ now: number }>`select ${STORE_NOW} as now`.execute(db)
  const [answer] = rows
  if (answer) clock.follow(answer.now)
}
