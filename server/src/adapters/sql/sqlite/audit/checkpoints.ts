import type { DatabaseSync } from 'node:sqlite'
import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import { NEWEST_ACTION } from '../../audit/anchor-of-log.ts'
import {
  CHECKPOINT_COLUMNS,
  MAX_BATCHES_SIGNED,
  sealCheckpoint,
  toAction,
  toCheckpointColumns,
} from '../../audit/checkpoint.ts'
import { NEWEST_CHECKPOINT } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { BEGINNING, openAuditMarks } from './marks.ts'

/** Signs the log in ranges of one day, each in a transaction of the caller. */
export function openCheckpoints(database: DatabaseSync, seal: AuditSeal) {
  const marks = openAuditMarks(database, seal)
  const newest = database.prepare(
    `select ${CHECKPOINT_COLUMNS} from audit_checkpoints order by no desc limit 1`,
  )
  const newestBatch = database.prepare('select max(seq) as seq from audit_batches')
  const firstAfter = database.prepare(
    'select seq, day from audit_batches where seq > ? and seq <= ? order by seq limit 1',
  )
  const firstOfOtherDay = database.prepare(
    'select min(seq) as seq from audit_batches where seq > ? and seq < ? and day <> ?',
  )
  const lastBefore = database.prepare(
    'select seq, hash from audit_batches where seq < ? order by seq desc limit 1',
  )
  const insert = database.prepare(
    `insert into audit_checkpoints (${CHECKPOINT_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )

  const newestAction = database.prepare(NEWEST_ACTION)

  /** The next unsigned batches of one day. */
  function nextRange(after: number, upTo: number) {
    const first = firstAfter.get(after, upTo)
    if (!first) return undefined
    const firstSeq = Number(first['seq'])
    const day = Number(first['day'])
    const end = Math.min(firstSeq + MAX_BATCHES_SIGNED, upTo + 1)
    const other = firstOfOtherDay.get(firstSeq, end, day)?.['seq']
    const last = lastBefore.get(Number(other ?? end))
    return { firstSeq, day, lastSeq: Number(last?.['seq']), root: String(last?.['hash']) }
  }

  return {
    lastAt(): number | undefined {
      const at = newest.get()?.['at']
      return at === undefined ? undefined : Number(at)
    },
    newestBatch: (): number => Number(newestBatch.get()?.['seq'] ?? 0),
    signNext(at: number, upTo: number): AuditCheckpoint | undefined {
      const { no, hash: previous } = marks.read(NEWEST_CHECKPOINT)
      // Without any checkpoint, all batches up to the beginning mark were signed and dropped.
      const signedSeq = newest.get()?.['last_seq'] ?? marks.read(BEGINNING).no
      const range = nextRange(Number(signedSeq), upTo)
      if (!range) return undefined
      const done = newestAction.get()
      const action = toAction(done?.['no'], done?.['hash'])
      const content = { no: no + 1, ...range, at, previous, instance: '', action }
      const checkpoint = sealCheckpoint(content, seal)
      insert.run(...toCheckpointColumns(checkpoint))
      marks.write(NEWEST_CHECKPOINT, { no: checkpoint.no, hash: checkpoint.hash })
      return checkpoint
    },
  }
}
