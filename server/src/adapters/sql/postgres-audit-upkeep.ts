import { sql } from 'kysely'
import type { AuditUpkeep } from '#ports/audit-upkeep.ts'
import { dropAuditDay, listAuditDays } from './postgres-audit-days.ts'
import type { Database } from './schema.ts'

const STEP_ROWS = 1_000

/**
 * Old days leave the log whole. Its chains are sealed batch by batch, and their ends by a mark; signed checkpoints
 * over several chains are not made.
 */
export function postgresAuditUpkeep(db: Database): AuditUpkeep {
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
    lastCheckpointAt: async () => undefined,
    signNext: async () => undefined,
    async dropBatches({ from, today }) {
      // Tomorrow's part is made before it is needed.
      const over = (await listAuditDays(db)).find((day) => day < from - 1 || day > today + 1)
      if (over === undefined) return 0
      await dropAuditDay(db, over)
      return 1
    },
    dropDayCounts: (before) => dropSome('agent_days', 'day', before),
    dropUserCounters: (before) => dropSome('user_activity', 'day_start', before),
  }
}
