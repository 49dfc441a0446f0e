import { sql } from 'kysely'
import type { Clock } from '#ports/clock.ts'
import { isPostgres } from './engine.ts'
import type { Database } from './schema.ts'

/** Milliseconds since 1970 by the Postgres server's clock, when this part of the statement runs. */
export const STORE_NOW = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Sets the clock by the time of a shared store; SQLite has no clock of its own. */
export async function followStoreTime(db: Database, clock: Clock): Promise<void> {
  if (!clock.follow || !isPostgres(db)) return
  const { rows } = await sql<{ now: number }>`select ${STORE_NOW} as now`.execute(db)
  const [answer] = rows
  if (answer) clock.follow(answer.now)
}
