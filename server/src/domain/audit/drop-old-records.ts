import type { AuditUpkeep } from '#ports/audit-upkeep.ts'
import type { Clock } from '#ports/clock.ts'
import { PROFILE_DAYS } from '../agents/profile.ts'
import { DAY_MS } from '../limits/window.ts'

/** Counts outlive their use by this much: a clock that is put back finds them still there. */
const MARGIN_DAYS = 2

type Needs = { readonly upkeep: AuditUpkeep; readonly clock: Clock; readonly retentionDays: number }

/** Removes what is old enough, in whole UTC days and in small steps: requests pass between them. */
export function dropOldRecords({ upkeep, clock, retentionDays }: Needs) {
  return async (deadline: AbortSignal): Promise<void> => {
    const today = Math.floor(clock.now() / DAY_MS)
    const firstCounted = today - PROFILE_DAYS - MARGIN_DAYS
    const steps = [
      () => upkeep.dropBatches({ from: today - retentionDays, today }),
      () => upkeep.dropDayCounts(firstCounted),
      () => upkeep.dropUserCounters((today - MARGIN_DAYS) * DAY_MS),
    ]
    for (const step of steps) {
      while (!deadline.aborted && (await step()) > 0);
    }
  }
}
