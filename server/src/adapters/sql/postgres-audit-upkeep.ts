import { type Kysely, sql } from 'kysely'
import type { AuditUpkeep } from '#ports/audit-upkeep.ts'
import type { AuditSeal } from './audit-seal.ts'
import { lastCheckpointAt, newestBatch, signNextStretch } from './postgres-checkpoints.ts'
import { dropOldestDay } from './postgres-retention.ts'
import type { Schema } from './schema.ts'

const STEP_ROWS = 1_000

type Needs = { readonly db: Kysely<Schema>; readonly seal: AuditSeal }

/** Each step is one transaction, in which no other instance takes the same step. */
export function postgresAuditUpkeep({ db, seal }: Needs): AuditUpkeep {
  const dropSome = async (
    table: 'agent_days' | 'user_activity',
    column: 'day' | 'day_start',
    before: number,
  ) => {
    const name = sql.table(table)
    const { numAffectedRows } = await sql`
      delete from ${name} where ctid in
        (select ctid from ${name} where ${sql.ref(column)} < ${before} limit ${sql.lit(STEP_ROWS)})`.execute(
      db,
    )
    return Number(numAffectedRows ?? 0)
  }
  return {
    lastCheckpointAt: () => lastCheckpointAt(db),
    newestBatch: () => newestBatch(db),
    signNext: signNextStretch(db, seal),
    dropBatches: dropOldestDay(db, seal),
    dropDayCounts: (before) => dropSome('agent_days', 'day', before),
    dropUserCounters: (before) => dropSome('user_activity', 'day_start', before),
  }
}
