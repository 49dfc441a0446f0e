import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { AuditCheckpoint } from '#ports/audit-upkeep.ts'
import { openAuditMarks } from '../audit/marks.ts'
import type { AuditSeal } from '../audit/seal.ts'

/** A checkpoint covers at most this many batches: finding out how far it reaches must not hold requests up. */
const MOST_BATCHES = 5_000

export const CHECKPOINT_COLUMNS = 'no, first_seq, last_seq, day, at, root, previous, hash, signature'

/** What is signed, and hashed for the checkpoint after it. */
export const checkpointText = (checkpoint: Omit<AuditCheckpoint, 'hash' | 'signature'>): string =>
  JSON.stringify([
    checkpoint.no,
    checkpoint.firstSeq,
    checkpoint.lastSeq,
    checkpoint.day,
    checkpoint.at,
    checkpoint.root,
    checkpoint.previous,
  ])

export const checkpointHash = (text: string): string => hash('sha256', text, 'hex')

/** Signs the log stretch by stretch, each in a transaction of the caller. */
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
    `insert into audit_checkpoints (${CHECKPOINT_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )

  /** The next batches that nobody has signed for, as far as they are of one day. */
  function nextStretch(after: number, upTo: number) {
    const first = firstAfter.get(after, upTo)
    if (!first) return undefined
    const firstSeq = Number(first['seq'])
    const day = Number(first['day'])
    const end = Math.min(firstSeq + MOST_BATCHES, upTo + 1)
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
      const { no, hash: previous } = marks.read('checkpoint')
      const before = newest.get()
      const stretch = nextStretch(Number(before?.['last_seq'] ?? 0), upTo)
      if (!stretch) return undefined
      const content = { no: no + 1, ...stretch, at, previous }
      const text = checkpointText(content)
      const checkpoint = { ...content, hash: checkpointHash(text), signature: seal.sign(text) }
      insert.run(...toColumns(checkpoint))
      marks.write('checkpoint', { no: checkpoint.no, hash: checkpoint.hash })
      return checkpoint
    },
  }
}

function toColumns(checkpoint: AuditCheckpoint): (number | string)[] {
  const { no, firstSeq, lastSeq, day, at, root, previous, hash: own, signature } = checkpoint
  return [no, firstSeq, lastSeq, day, at, root, previous, own, signature]
}

/** A row of `CHECKPOINT_COLUMNS`. */
export function toCheckpoint(row: Readonly<Record<string, unknown>>): AuditCheckpoint {
  return {
    no: Number(row['no']),
    firstSeq: Number(row['first_seq']),
    lastSeq: Number(row['last_seq']),
    day: Number(row['day']),
    at: Number(row['at']),
    root: String(row['root']),
    previous: String(row['previous']),
    hash: String(row['hash']),
    signature: String(row['signature']),
  }
}
