import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { AuditAnchors } from '#ports/stores/audit-anchor.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'

type Needs = {
  readonly upkeep: Pick<AuditUpkeep, 'anchor' | 'holds'>
  readonly anchors: AuditAnchors
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Moves the anchor of the audit log on, as long as the log still has what was anchored before: it never moves to a log
 * that was put in the place of another one.
 */
export function anchorAudit({ upkeep, anchors, clock, logger }: Needs) {
  let written = ''
  return async (): Promise<void> => {
    // Read first: whatever replaces the log after this is not what gets anchored.
    const next = await upkeep.anchor(clock.now())
    for (const anchor of await anchors.read()) {
      if (await upkeep.holds(anchor)) continue
      const anchoredAt = new Date(anchor.at).toISOString()
      logger.error('the audit log is not the one that was anchored', undefined, { anchoredAt })
      return
    }
    const content = JSON.stringify({ ...next, at: 0 })
    if (content === written) return
    await anchors.write(next)
    written = content
  }
}
