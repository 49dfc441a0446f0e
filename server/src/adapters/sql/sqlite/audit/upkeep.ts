import { setTimeout } from 'node:timers/promises'
import type { Secrets } from '#ports/secrets.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import { anchorOfLog, holdsAnchor } from '../../audit/anchor-of-log.ts'
import { ANCHORED, EMPTY_MARK } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { signedDays } from '../../audit/signed-days.ts'
import { dropExpired, dropSome } from '../../stores/drop-expired.ts'
import { dropOldMandates } from '../../stores/policy/drop-old-mandates.ts'
import type { SqliteStore } from '../open.ts'
import { openCheckpoints } from './checkpoints.ts'
import { openAuditMarks } from './marks.ts'
import { openRetention } from './retention.ts'

const PAUSE_MS = 2

type Needs = {
  readonly store: SqliteStore
  readonly seal: AuditSeal
  readonly secrets: Pick<Secrets, 'digest'>
}

export async function openSqliteAuditUpkeep({ store, seal, secrets }: Needs): Promise<AuditUpkeep> {
  const { db } = store
  const { marks, checkpoints, dropBatches } = await store.exclusive((database) => ({
    marks: openAuditMarks(database, seal),
    checkpoints: openCheckpoints(database, seal),
    dropBatches: openRetention(database, seal),
  }))

  /** Takes a step after a pause in which waiting requests can commit first. */
  async function afterPause<T>(step: () => Promise<T>): Promise<T> {
    await setTimeout(PAUSE_MS)
    return step()
  }

  /** The same for a step that is to be one transaction. */
  const takeStep = <T>(step: () => T): Promise<T> =>
    afterPause(() =>
      store.exclusive((database) => {
        database.exec('begin immediate')
        const result = step()
        database.exec('commit')
        return result
      }),
    )

  return {
    async prepareDays() {},
    async indexAgents() {},
    lastCheckpointAt: () => store.exclusive(() => checkpoints.lastAt()),
    newestBatch: () => store.exclusive(() => checkpoints.newestBatch()),
    signNext: (at, upTo) => takeStep(() => checkpoints.signNext(at, upTo)),
    anchor: (at) => anchorOfLog(db, at),
    wasAnchored: () => store.exclusive(() => marks.read(ANCHORED).no > 0),
    noteAnchored: (at) => takeStep(() => marks.write(ANCHORED, { ...EMPTY_MARK, no: at })),
    holds: (anchor) => holdsAnchor(db, anchor),
    signedDays: () => signedDays(db),
    dropBatches: (keep) => takeStep(() => dropBatches(keep)),
    dropDayCounts: (before) =>
      afterPause(() => dropSome(db, 'agent_days', ['agent_no', 'day'], 'day', before)),
    dropUserCounters: (before) =>
      afterPause(() => dropSome(db, 'user_activity', ['user_id'], 'day_start', before)),
    dropExpired: (before) => afterPause(() => dropExpired(db, before)),
    dropMandates: (old) => afterPause(() => dropOldMandates(db, secrets, old)),
  }
}
