import type { Secrets } from '#ports/secrets.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import { anchorOfLog, holdsAnchor } from '../../audit/anchor-of-log.ts'
import { ANCHORED, EMPTY_MARK } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { signedDays } from '../../audit/signed-days.ts'
import { dropExpired, dropSome } from '../../stores/drop-expired.ts'
import { dropOldMandates } from '../../stores/policy/drop-old-mandates.ts'
import type { PostgresStore } from '../open.ts'
import { lastCheckpointAt, newestBatch, signNextRange } from './checkpoints.ts'
import { openAuditIndex } from './index-agents.ts'
import { postgresMarks } from './marks.ts'
import { dropOldestDay } from './retention.ts'

type Needs = {
  readonly store: PostgresStore
  readonly seal: AuditSeal
  readonly secrets: Pick<Secrets, 'digest'>
}

/** Each step is one transaction; signing and dropping batches lock out the same step on other instances. */
export function postgresAuditUpkeep({ store, seal, secrets }: Needs): AuditUpkeep {
  const { db } = store
  const marks = postgresMarks(db, seal)
  return {
    prepareDays: (today) => store.auditDays.prepareAhead(today),
    async indexAgents(deadline) {
      await openAuditIndex(db, seal).catchUp(deadline)
    },
    lastCheckpointAt: () => lastCheckpointAt(db),
    newestBatch: () => newestBatch(db),
    signNext: signNextRange(db, seal),
    anchor: (at) => anchorOfLog(db, at),
    wasAnchored: async () => (await marks.read(ANCHORED)).no > 0,
    noteAnchored: (at) => marks.write(ANCHORED, { ...EMPTY_MARK, no: at }),
    holds: (anchor) => holdsAnchor(db, anchor),
    signedDays: () => signedDays(db),
    dropBatches: dropOldestDay(db, seal),
    dropDayCounts: (before) => dropSome(db, 'agent_days', ['agent_no', 'day'], 'day', before),
    dropUserCounters: (before) => dropSome(db, 'user_activity', ['user_id'], 'day_start', before),
    dropExpired: (before) => dropExpired(db, before),
    dropMandates: (old) => dropOldMandates(db, secrets, old),
  }
}
