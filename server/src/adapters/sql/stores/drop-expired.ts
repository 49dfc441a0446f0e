import { sql } from 'kysely'
import type { Database, Schema } from '../schema.ts'
import { FAMILIAR_MS } from './sign-in/proven-networks.ts'

/** Rows per statement, so that it ends within its timeout and blocks an embedded store for milliseconds only. */
const STEP_ROWS = 1_000

/** Deletes some rows of a table whose `column` is less than `before`; returns the number deleted. */
export async function dropSome(
  db: Database,
  table: keyof Schema,
  key: readonly string[],
  column: string,
  before: number,
): Promise<number> {
  const [name, columns] = [sql.table(table), sql.join(key.map((part) => sql.ref(part)))]
  const { numAffectedRows } = await sql`delete from ${name} where (${columns}) in
    (select ${columns} from ${name} where ${sql.ref(column)} < ${before} limit ${sql.lit(STEP_ROWS)})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes some rows that expired before this moment, and networks no longer familiar by then; returns the number deleted.
 * Readers check the times as well, so nothing depends on when this runs.
 */
export async function dropExpired(db: Database, before: number): Promise<number> {
  const steps = [
    () => dropCodes(db, before),
    () => dropSome(db, 'verifications', ['token_digest'], 'expires_at', before),
    () => dropSome(db, 'factor_tries', ['subject', 'network_digest'], 'expires_at', before),
    () => dropSome(db, 'sessions', ['id'], 'expires_at', before),
    () => dropSome(db, 'done_requests', ['digest'], 'expires_at', before),
    () => dropSome(db, 'kept_builds', ['digest'], 'expires_at', before),
    () =>
      dropSome(
        db,
        'proven_networks',
        ['address_digest', 'network_digest'],
        'proven_at',
        before - FAMILIAR_MS,
      ),
  ]
  for (const step of steps) {
    const dropped = await step()
    if (dropped > 0) return dropped
  }
  return 0
}

/** The tries at a code leave with it, and first: without the code nobody finds them. */
async function dropCodes(db: Database, before: number): Promise<number> {
  const codes = db
    .selectFrom('mailed_codes')
    .select('long_digest')
    .where('expires_at', '<', before)
    .orderBy('long_digest')
    .limit(STEP_ROWS)
  await db.deleteFrom('code_tries').where('long_digest', 'in', codes).execute()
  const { numDeletedRows } = await db
    .deleteFrom('mailed_codes')
    .where('long_digest', 'in', codes)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
