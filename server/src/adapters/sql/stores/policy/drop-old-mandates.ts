import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import type { Database } from '../../schema.ts'

const STEP_ROWS = 1_000

type OldMandates = Parameters<AuditUpkeep['dropMandates']>[0]

/** Removes some of what no rule looks at any more; returns how many. */
export function dropOldMandates(db: Database, old: OldMandates): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const approvals = transaction
      .selectFrom('approvals')
      .select('id')
      .where('expires_at', '<', old.approvalsBefore)
      .orderBy('expires_at')
      .limit(STEP_ROWS)
    const reservations = transaction
      .selectFrom('reservations')
      .select('id')
      .where('at', '<', old.reservationsBefore)
      .orderBy('at')
      .limit(STEP_ROWS)
    const steps = [
      transaction.deleteFrom('approvals').where('id', 'in', approvals),
      transaction.deleteFrom('reservations').where('id', 'in', reservations),
    ]
    let dropped = 0
    for (const step of steps) dropped += Number((await step.executeTakeFirst()).numDeletedRows)
    return dropped
  })
}
