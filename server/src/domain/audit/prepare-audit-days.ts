import type { Clock } from '#ports/clock.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import { dayOf } from '../../durations.ts'

type Needs = { readonly upkeep: AuditUpkeep; readonly clock: Clock }

/** Prepares the store for the next days, so that no request has to wait for that. */
export function prepareAuditDays({ upkeep, clock }: Needs) {
  return (): Promise<void> => upkeep.prepareDays(dayOf(clock.now()))
}
