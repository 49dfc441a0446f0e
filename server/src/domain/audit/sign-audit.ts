import type { Clock } from '#ports/clock.ts'
import type { LogFields, Logger } from '#ports/logger.ts'
import type { AuditCheckpoint, AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import { HOUR_MS } from '../../durations.ts'

type Needs = { readonly upkeep: AuditUpkeep; readonly clock: Clock; readonly logger: Logger }

/**
 * Signs what was logged, once in every UTC hour. Each checkpoint is also a line in the service's own log: whoever
 * collects those lines elsewhere can tell that the database was rewritten, even by someone who has the key.
 */
export function signAudit({ upkeep, clock, logger }: Needs) {
  return async (deadline: AbortSignal): Promise<void> => {
    const now = clock.now()
    const last = await upkeep.lastCheckpointAt()
    if (last !== undefined && hourOf(last) === hourOf(now)) return
    // While this signs, requests go on being logged: those are for the next hour.
    const upTo = await upkeep.newestBatch()
    while (!deadline.aborted) {
      const checkpoint = await upkeep.signNext(now, upTo)
      if (!checkpoint) return
      logger.info('audit checkpoint', toLine(checkpoint))
    }
  }
}

/** Hashes are marked as such: the log takes bare ones for secrets, and hides them. */
function toLine({ root, previous, hash, action, ...checkpoint }: AuditCheckpoint): LogFields {
  return {
    ...checkpoint,
    ...(action && { actionNo: action.no, actionHash: `sha256:${action.hash}` }),
    root: `sha256:${root}`,
    previous: `sha256:${previous}`,
    hash: `sha256:${hash}`,
  }
}

const hourOf = (moment: number): number => Math.floor(moment / HOUR_MS)
