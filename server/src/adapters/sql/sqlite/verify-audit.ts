import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '../../../fault.ts'
import { agentsIn, chainHash, toBatch } from '../audit/batch.ts'
import { CHAIN_START, type Mark, type MarkName, openAuditMarks } from '../audit/marks.ts'
import { AUDIT_KEY_FILE, type AuditSeal, auditSeal } from '../audit/seal.ts'
import { type AuditVerdict, Broken, toDate } from '../audit/verdict.ts'
import { CHECKPOINT_COLUMNS, checkpointHash, checkpointText, toCheckpoint } from './checkpoints.ts'
import { sqliteCode } from './errors.ts'

/**
 * Reads the whole audit log of a data folder and checks that nothing was changed, dropped, swapped, added or cut off.
 * It only reads, and may run beside the service: it sees the log as it is at one moment.
 */
export async function verifyAudit(folder: string): Promise<AuditVerdict> {
  const seal = auditSeal(await readKey(folder))
  const database = new DatabaseSync(join(folder, 'stakewright.db'), { readOnly: true, timeout: 5_000 })
  try {
    database.exec('begin')
    return verifyLog(database, seal)
  } catch (error) {
    if (error instanceof Broken) return error.verdict
    if (sqliteCode(error) === undefined) throw error
    return { kind: 'broken', seq: 0, reason: `the database cannot be read: ${String(error)}` }
  } finally {
    database.close()
  }
}

function verifyLog(database: DatabaseSync, seal: AuditSeal): AuditVerdict {
  const marks = openAuditMarks(database, seal)
  const read = (name: MarkName): Mark => {
    const { isGenuine, ...mark } = marks.read(name)
    if (!isGenuine) throw new Broken(mark.no, `the mark of the log's ${name} was changed`)
    return mark
  }
  const beginning = read('beginning')
  const roots = verifyCheckpoints(database, seal, beginning, read('checkpoint'))
  const end = read('end')
  if (end.no === 0 && hasCounted(database)) throw new Broken(1, 'requests were counted, but the log is empty')
  const nextAgents = openAgentIndex(database, beginning)
  const { batches, from, to, last } = verifyBatches(database, beginning, roots, read('indexed'), nextAgents)
  if (nextAgents(Number.POSITIVE_INFINITY) !== '')
    throw new Broken(last.no, 'the index of agents was added to')
  if (last.no !== end.no) {
    const missing = end.no - last.no
    if (missing > 0) throw new Broken(last.no + 1, `the last ${missing} batches are missing`)
    throw new Broken(end.no + 1, 'there are batches after the end of the log')
  }
  if (last.hash !== end.hash) throw new Broken(last.no, 'the end of the log was changed')
  const unseen = [...roots.keys()].find((seq) => seq > last.no)
  if (unseen !== undefined) throw new Broken(unseen, 'a checkpoint signs for batches that are missing')
  return { kind: 'intact', batches, checkpoints: roots.size, from: toDate(from), to: toDate(to) }
}

/** Checks the checkpoints among themselves. Returns the hash that each says its last batch has. */
function verifyCheckpoints(
  database: DatabaseSync,
  seal: AuditSeal,
  beginning: Mark,
  newest: Mark,
): ReadonlyMap<number, string> {
  const roots = new Map<number, string>()
  let previous: Mark | undefined
  let lastSeq = 0
  for (const row of database
    .prepare(`select ${CHECKPOINT_COLUMNS} from audit_checkpoints order by no`)
    .iterate()) {
    const checkpoint = toCheckpoint(row)
    const { no, firstSeq, root } = checkpoint
    const broken = (reason: string) => new Broken(firstSeq, `checkpoint ${no} ${reason}`)
    const text = checkpointText(checkpoint)
    if (checkpoint.hash !== checkpointHash(text)) throw broken('was changed')
    if (!seal.isSigned(text, checkpoint.signature)) throw broken('is not signed by this service')
    const isFirst = no === 1 ? checkpoint.previous === CHAIN_START : firstSeq <= beginning.no
    const follows =
      no - 1 === previous?.no && checkpoint.previous === previous.hash && firstSeq === lastSeq + 1
    if (previous === undefined ? !isFirst : !follows) throw broken('does not follow the one before it')
    previous = { no, hash: checkpoint.hash }
    lastSeq = checkpoint.lastSeq
    roots.set(lastSeq, root)
  }
  if ((previous?.no ?? 0) !== newest.no || (previous?.hash ?? CHAIN_START) !== newest.hash)
    throw new Broken(lastSeq + 1, 'the last checkpoints are missing')
  return roots
}

function verifyBatches(
  database: DatabaseSync,
  beginning: Mark,
  roots: ReadonlyMap<number, string>,
  indexed: Mark,
  nextAgents: NextAgents,
) {
  const known = roots.get(beginning.no)
  if (known !== undefined && known !== beginning.hash)
    throw new Broken(beginning.no, 'the mark of the beginning and its checkpoint differ')
  let last = beginning
  let batches = 0
  let from: number | undefined
  let to: number | undefined
  for (const row of database
    .prepare('select seq, day, body, hash from audit_batches order by seq')
    .iterate()) {
    const seq = Number(row['seq'])
    const day = Number(row['day'])
    const body = String(row['body'])
    if (seq !== last.no + 1) throw new Broken(last.no + 1, `batch ${last.no + 1} is missing`)
    const hash = chainHash(last.hash, seq, day, body)
    if (row['hash'] !== hash) throw new Broken(seq, `batch ${seq} was changed, or is not in its place`)
    if (hash !== (roots.get(seq) ?? hash))
      throw new Broken(seq, `batch ${seq} is not the one that was signed`)
    const agents = seq <= indexed.no ? [...agentsIn(toBatch(body))].sort((a, b) => a - b) : []
    if (agents.join() !== nextAgents(seq))
      throw new Broken(seq, `the index of agents for batch ${seq} was changed`)
    last = { no: seq, hash }
    batches += 1
    from ??= day
    to = day
  }
  return { batches, from, to, last }
}

type NextAgents = (upTo: number) => string

/** The agents of each batch as the index has them; to be asked in the order of the batches. */
function openAgentIndex(database: DatabaseSync, beginning: Mark): NextAgents {
  const misplaced = database.prepare(
    "select last_seq from agent_batches where last_seq is not json_extract(seqs, '$[#-1]') limit 1",
  )
  const wrong = misplaced.get()
  if (wrong) throw new Broken(Number(wrong['last_seq']), 'the index of agents was changed')
  const rows = database
    .prepare(
      `select agent_no, value as seq from agent_batches, json_each(seqs) where value > ? order by value, agent_no`,
    )
    .iterate(beginning.no)
  let next = rows.next()
  return (upTo) => {
    const agents: number[] = []
    while (!next.done && Number(next.value['seq']) <= upTo) {
      agents.push(Number(next.value['agent_no']))
      next = rows.next()
    }
    return agents.join()
  }
}

/** Whoever was admitted was counted and logged in one commit. */
const hasCounted = (database: DatabaseSync): boolean =>
  database.prepare('select 1 from agent_activity union all select 1 from user_activity limit 1').get() !==
  undefined

async function readKey(folder: string): Promise<string> {
  const file = join(folder, AUDIT_KEY_FILE)
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new Fault('store_not_ready', `${file} cannot be read; without it nothing can be verified.`, {
      cause,
    })
  }
}
