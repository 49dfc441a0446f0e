import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { AuditAnchor, AuditAnchors } from '#ports/stores/audit-anchor.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'

const NOT_THAT_LOG = 'the log does not contain what was anchored'
const NO_ANCHOR = 'no file has an anchor of this log'

type Needs = {
  readonly upkeep: Pick<AuditUpkeep, 'anchor' | 'holds' | 'wasAnchored' | 'noteAnchored'>
  readonly anchors: AuditAnchors
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Advances the anchor of the audit log, provided that the log still contains all earlier anchors: a replaced log is
 * never anchored. This process also remembers its own anchor, in case the files are lost.
 */
export function anchorAudit({ upkeep, anchors, clock, logger }: Needs) {
  let written: AuditAnchor | undefined
  return async (): Promise<void> => {
    // The end of the log is read before the check, so that a log replaced in between is not anchored.
    const next = await upkeep.anchor(clock.now())
    // Instances may share a file, and the mark follows it: once the mark is there, so is the file.
    const wasAnchored = await upkeep.wasAnchored()
    const known = [...(await anchors.read()), ...(written ? [written] : [])]
    for (const anchor of known) {
      if (await upkeep.holds(anchor)) continue
      const anchoredAt = new Date(anchor.at).toISOString()
      logger.error('the audit log is not the one that was anchored', new Error(NOT_THAT_LOG), { anchoredAt })
      return
    }
    const missing = await anchors.missing()
    if (wasAnchored && missing.length > 0) reportMissingAnchors(logger, missing, known)
    const isLost = wasAnchored && known.length === 0 && missing.length > 0
    const since = known.find((anchor) => anchor.since !== undefined)?.since ?? (isLost ? next.at : undefined)
    const anchor = since === undefined ? next : { ...next, since }
    if (written && contentOf(anchor) === contentOf(written) && missing.length === 0) return
    await anchors.write(anchor)
    if (!wasAnchored) await upkeep.noteAnchored(next.at)
    written = anchor
  }
}

/** A second file that was just configured has no anchor yet: a warning suffices while another file has one. */
function reportMissingAnchors(
  logger: Logger,
  missing: readonly string[],
  known: readonly AuditAnchor[],
): void {
  const fields = { missing: missing.join(', ') }
  if (known.length > 0) logger.warn('an anchor of the audit log is missing: writing a new one', fields)
  else
    logger.error('the anchor of the audit log is missing: starting a new one', new Error(NO_ANCHOR), fields)
}

const contentOf = (anchor: AuditAnchor): string => JSON.stringify({ ...anchor, at: 0 })
