import type { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { Secrets } from '#ports/secrets.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import { anchorOfLog, holdsAnchor } from '../../audit/anchor-of-log.ts'
import { ANCHORED, EMPTY_MARK } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { signedDays } from '../../audit/signed-days.ts'
import { dropOldMandates } from '../../stores/policy/drop-old-mandates.ts'
import { dropOldSignIns } from '../../stores/sign-in/drop-old-sign-ins.ts'
import type { SqliteStore } from '../open.ts'
import { openCheckpoints } from './checkpoints.ts'
import { openAuditMarks } from './marks.ts'
import { openRetention } from './retention.ts'

const STEP_ROWS = 1_000
const PAUSE_MS = 2

type Needs = {
  readonly store: SqliteStore
  readonly seal: AuditSeal
  readonly secrets: Pick<Secrets, 'digest'>
}

export async function openSqliteAuditUpkeep({ store, seal, secrets }: Needs): Promise<AuditUpkeep> {
  const { marks, checkpoints, dropBatches, dropDays, dropUsers } = await store.exclusive((database) => ({
    marks: openAuditMarks(database, seal),
    checkpoints: openCheckpoints(database, seal),
    dropBatches: openRetention(database, seal),
    dropDays: dropSome(database, 'agent_days', 'day'),
    dropUsers: dropSome(database, 'user_activity', 'day_start'),
  }))

  /** Each step is one transaction, after a pause in which waiting requests can commit first. */
  async function takeStep<T>(step: () => T): Promise<T> {
    await setTimeout(PAUSE_MS)
    return store.exclusive((database) => {
      database.exec('begin immediate')
      const result = step()
      database.exec('commit')
      return result
    })
  }

  return {
    async prepareDays() {},
    async indexAgents() {},
    lastCheckpointAt: () => store.exclusive(() => checkpoints.lastAt()),
    newestBatch: () => store.exclusive(() => checkpoints.newestBatch()),
    signNext: (at, upTo) => takeStep(() => checkpoints.signNext(at, upTo)),
    anchor: (at) => anchorOfLog(store.db, at),
    wasAnchored: () => store.exclusive(() => marks.read(ANCHORED).no > 0),
    noteAnchored: (at) => takeStep(() => marks.write(ANCHORED, { ...EMPTY_MARK, no: at })),
    holds: (anchor) => holdsAnchor(store.db, anchor),
    signedDays: () => signedDays(store.db),
    dropBatches: (keep) => takeStep(() => dropBatches(keep)),
    dropDayCounts: (before) => takeStep(() => dropDays(before)),
    dropUserCounters: (before) => takeStep(() => dropUsers(before)),
    dropSignIns: (before) => dropOldSignIns(store.db, before),
    dropMandates: (old) => dropOldMandates(store.db, secrets, old),
  }
}

function dropSome(
  database: DatabaseSync,
  table: 'agent_days' | 'user_activity',
  column: 'day' | 'day_start',
) {
  const statement = database.prepare(
    `delete from ${table} where rowid in (select rowid from ${table} where ${column} < ? limit ${STEP_ROWS})`,
  )
  return (before: number): number => Number(statement.run(before).changes)
}
