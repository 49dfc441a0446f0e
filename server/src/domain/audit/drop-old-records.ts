import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import { DAY_MS, dayOf, PROFILE_DAYS } from '../../durations.ts'
import { RESERVATIONS_KEPT_DAYS } from '../policy/window-rules.ts'
import { provenDay } from './proven-day.ts'

/** Extra days for which counts are kept, in case the clock is corrected backwards. */
const MARGIN_DAYS = 2

type Needs = {
  readonly upkeep: AuditUpkeep
  readonly clock: Clock
  readonly logger: Logger
  readonly retentionDays: number
  /** The number of days for which an approval is shown after it has expired. */
  readonly approvalsKeptDays: number
}

/**
 * Applies retention by whole UTC days, in small steps between which requests are served. The age of a day is judged
 * by the log itself (proven-day.ts), so that a wrong clock removes nothing.
 */
export function dropOldRecords({ upkeep, clock, logger, retentionDays, approvalsKeptDays }: Needs) {
  const warn = warnOnce(logger)
  return async (deadline: AbortSignal): Promise<void> => {
    const today = dayOf(clock.now())
    const recorded = await upkeep.signedDays()
    const proven = provenDay(recorded, today)
    warn(recorded.at(-1), proven, today)
    if (proven === undefined) return
    const steps = [
      () => upkeep.dropBatches({ from: proven - retentionDays, today, retentionDays }),
      () => upkeep.dropDayCounts(proven - PROFILE_DAYS - MARGIN_DAYS),
      () => upkeep.dropUserCounters((proven - MARGIN_DAYS) * DAY_MS),
      () => upkeep.dropExpired((proven - MARGIN_DAYS) * DAY_MS),
      () =>
        upkeep.dropMandates({
          approvalsBefore: (proven - approvalsKeptDays) * DAY_MS,
          reservationsBefore: (proven - RESERVATIONS_KEPT_DAYS) * DAY_MS,
        }),
    ]
    for (const step of steps) {
      while (!deadline.aborted && (await step()) > 0);
    }
  }
}

/** Warns once a day if clock and log disagree. */
function warnOnce(logger: Logger) {
  let warnedOn: number | undefined
  return (newest: number | undefined, proven: number | undefined, today: number): void => {
    if (newest === undefined || newest === proven || proven === today || warnedOn === today) return
    warnedOn = today
    if (newest > today) {
      logger.warn('the audit log has days of the future: the clock is or was wrong', {
        daysAhead: newest - today,
      })
      return
    }
    const days = newest - (proven ?? newest)
    logger.warn('the clock jumped ahead of the audit log: nothing is removed by the new time yet', { days })
  }
}
