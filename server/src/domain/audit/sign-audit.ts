import type { Clock } from '#ports/clock.ts'
import type { LogFields, Logger } from '#ports/logger.ts'
import type { AuditCheckpoint, AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import { HOUR_MS } from '../../durations.ts'

type Needs = { readonly upkeep: AuditUpkeep; readonly clock: Clock; readonly logger: Logger }

/**
 * Signs the audit log once in every UTC hour. Each checkpoint is also a line of the service's own log: a collector of
 * those lines can detect a rewritten database, even if the attacker has the key.
 */
export function signAudit({ upkeep, clock, logger }: Needs) {
  return async (deadline: AbortSignal): Promise<void> => {
    const now = clock.now()
    const last = await upkeep.lastCheckpointAt()
    if (last !== undefined && hourOf(last) === hourOf(now)) return
    // Requests that are logged during signing are left for the next hour.
    const upTo = await upkeep.newestBatch()
    while (!deadline.aborted) {
      const checkpoint = await upkeep.signNext(now, upTo)
      if (!checkpoint) return
      logger.info('audit checkpoint', toLine(checkpoint))
    }
  }
}

/** The prefix `sha256:` keeps the logger from redacting the hashes: it takes bare ones for secrets. */
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
