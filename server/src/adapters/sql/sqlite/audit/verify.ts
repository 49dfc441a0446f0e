import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import { Fault } from '../../../../fault.ts'
import { CHECKPOINT_COLUMNS } from '../../audit/checkpoint.ts'
import { EMPTY_MARK, type Mark } from '../../audit/marks.ts'
import { AUDIT_KEY_FILE, auditSeal } from '../../audit/seal.ts'
import { type StoredRows, storedRows } from '../../audit/stored-rows.ts'
import { type AuditVerdict, Broken } from '../../audit/verify/verdict.ts'
import { type Marks, type Section, type StoredLog, verifyLog } from '../../audit/verify/verify.ts'
import { type DayCharge, toDayCharge } from '../../audit/verify/verify-charges.ts'
import { dayCountsOf } from '../../audit/verify/verify-counts.ts'
import type { RowsCheck } from '../../audit/verify/verify-rows.ts'
import { sqliteCode } from '../errors.ts'
import { BEGINNING, END, INDEXED } from './marks.ts'

/** Verifies a data folder in one read-only snapshot. Without `check`, only the log of requests. */
export async function verifyAudit(
  folder: string,
  anchors: readonly AuditAnchor[] = [],
  check?: RowsCheck,
): Promise<AuditVerdict> {
  const seal = auditSeal(await readAuditKey(folder))
  const database = new DatabaseSync(join(folder, 'stakewright.db'), { readOnly: true, timeout: 5_000 })
  try {
    database.exec('begin')
    const store = check && { rows: sqliteRows(database), ...check }
    return await verifyLog(sqliteLog(database), seal, anchors, store)
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error
    return { kind: 'broken', seq: 0, reason: `the database cannot be read: ${String(error)}` }
  } finally {
    database.close()
  }
}

const sqliteRows = (database: DatabaseSync): StoredRows =>
  storedRows(
    'sqlite',
    async (query) => database.prepare(query).all(),
    "select name from sqlite_master where type = 'table'",
  )

/** The log as the caller's transaction sees it: one chain, in which a batch's place is its number. */
function sqliteLog(database: DatabaseSync): StoredLog {
  return {
    marks: () => rowsOf(database, 'select name, no, hash, mac from audit_marks'),
    checkpoints: () => rowsOf(database, `select ${CHECKPOINT_COLUMNS} from audit_checkpoints order by no`),
    chainsOf: (marks) => new Map([[END, { beginning: markOf(marks, BEGINNING), end: markOf(marks, END) }]]),
    chainOf: () => END,
    async *sections(marks) {
      yield { batches: batchesOf(database), entries: entriesOf(database, markOf(marks, BEGINNING).no) }
    },
    // The index lags behind the log.
    isIndexed: ({ seq }, marks) => seq <= markOf(marks, INDEXED).no,
    async hasCounted() {
      const query = 'select 1 from agent_activity union all select 1 from user_activity limit 1'
      return database.prepare(query).get() !== undefined
    },
    dayCounts: () => dayCountsOf((query) => rowsOf(database, query)),
    dayCharges: () => dayChargesOf(database),
    isWhole: (marks) => markOf(marks, BEGINNING).no === 0,
  }
}

const markOf = (marks: Marks, name: string): Mark => marks.get(name) ?? EMPTY_MARK

type Row = Readonly<Record<string, SQLOutputValue>>

async function* rowsOf(database: DatabaseSync, query: string, ...values: number[]): AsyncGenerator<Row> {
  yield* database.prepare(query).iterate(...values)
}

async function* dayChargesOf(database: DatabaseSync): AsyncGenerator<DayCharge> {
  const query = 'select agent_no, day_start, day_used from agent_counters'
  for await (const row of rowsOf(database, query)) yield toDayCharge(row)
}

async function* batchesOf(database: DatabaseSync): Section['batches'] {
  for await (const row of rowsOf(database, 'select seq, day, body, hash from audit_batches order by seq')) {
    const seq = Number(row['seq'])
    const [body, hash] = [String(row['body']), String(row['hash'])]
    yield { seq, day: Number(row['day']), chain: END, place: seq, body, hash }
  }
}

/** An index entry names several batches, the first of which may be dropped already. */
async function* entriesOf(database: DatabaseSync, beginning: number): Section['entries'] {
  const misplaced = database.prepare(
    "select last_seq from agent_batches where last_seq is not json_extract(seqs, '$[#-1]') limit 1",
  )
  const wrong = misplaced.get()
  if (wrong) throw new Broken(Number(wrong['last_seq']), 'the index of agents was changed')
  const query = `select agent_no, value as seq from agent_batches, json_each(seqs)
    where value > ? order by value, agent_no`
  for await (const row of rowsOf(database, query, beginning)) {
    yield { seq: Number(row['seq']), agentNo: Number(row['agent_no']) }
  }
}

export async function readAuditKey(folder: string): Promise<string> {
  const file = join(folder, AUDIT_KEY_FILE)
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new Fault(
      'store_not_ready',
      `${file} cannot be read; without it nothing can be verified. Put it back from a backup.`,
      {
        cause,
      },
    )
  }
}
