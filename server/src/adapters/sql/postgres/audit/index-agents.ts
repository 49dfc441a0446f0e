import { type Kysely, sql, type Transaction } from 'kysely'
import { shareRuns } from '../../../../basics/share-runs.ts'
import { Fault } from '../../../../fault.ts'
import { type ChainId, endMarkName, indexedMarkName, toChainId } from '../../audit/chains.ts'
import { forgedMark } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { addBody, type SeqsByAgent } from '../../audit/seqs-by-agent.ts'
import { lockChainIndex } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'
import { isLockTimeout } from '../errors.ts'
import { onAuditDays } from './days.ts'
import { postgresMarks } from './marks.ts'

/**
 * The most batches and agents that one transaction indexes: large groups, so that an agent's entry names several
 * batches and few pages are written.
 */
export const GROUP = { batches: 512, agents: 4_096 }
/** How long a reader waits for the index. */
const READER_WAITS_MS = 4_000
/** Batches read at once: parsing the largest ones blocks the process for some 15 ms. */
const READ_AT_ONCE = 16
/**
 * All batches of an entry have numbers in the same window of this size. Entries of different chains may overlap, but
 * entries of different windows do not, so a reader knows where to stop.
 */
export const WINDOW = 16_384

export const windowStart = (seq: number): number => Math.floor(seq / WINDOW) * WINDOW

type Row = { readonly seq: number; readonly place: number; readonly body: string; readonly hash: string }

/**
 * The index of agents, which lags behind the log: an entry per agent and batch would cost more than all other writes
 * of a request. Each instance indexes its own chain in groups, a job indexes the rest of all chains, and readers
 * index the newest batches.
 */
export function openAuditIndex(db: Kysely<Schema>, seal: AuditSeal) {
  const extend = (chain: ChainId): Promise<number> =>
    onAuditDays(db, () => db.transaction().execute((transaction) => extendIndex(transaction, seal, chain)))
  /** Indexes the batches that are in the log now. False: the deadline has passed before the end. */
  async function catchUp(deadline: AbortSignal): Promise<boolean> {
    for (const { chain, end } of await findBehind(db)) {
      for (let last = 0; last < end; ) {
        if (deadline.aborted) return false
        last = await extend(chain).catch(afterLockTimeout)
      }
    }
    return true
  }

  return {
    extend,
    catchUp,
    /** For readers. Concurrent readers share a run, because each run locks the indexes of chains. */
    catchUpForReaders: shareRuns(async () => {
      if (!(await catchUp(AbortSignal.timeout(READER_WAITS_MS)))) throw stillBehind()
    }),
  }
}

/** Another instance is indexing the chain, so the next attempt finds less to do. */
function afterLockTimeout(error: unknown): number {
  if (isLockTimeout(error)) return 0
  throw error
}

function stillBehind(): Fault {
  const fix = 'Send the same request again in a few seconds.'
  return new Fault(
    'store_not_ready',
    `The audit log is being indexed, which takes longer after an upgrade or a long time without readers. ${fix}`,
    { fix, retryAfterSeconds: 5 },
  )
}

export type AuditIndex = ReturnType<typeof openAuditIndex>

/**
 * Indexes the next group of a chain. Its own instance may append to it at the same time, and other instances may
 * index it. Returns the place of the last indexed batch; `Infinity`: nothing is left to index.
 */
async function extendIndex(
  transaction: Transaction<Schema>,
  seal: AuditSeal,
  chain: ChainId,
): Promise<number> {
  const name = indexedMarkName(endMarkName(chain))
  await lockChainIndex(transaction, name)
  const marks = postgresMarks(transaction, seal)
  const indexed = await marks.read(name)
  if (!indexed.isGenuine) throw forgedMark(name)
  const seqsByAgent: SeqsByAgent = new Map()
  let newest: Row | undefined
  for (let read = 0; read < GROUP.batches && seqsByAgent.size < GROUP.agents; read += READ_AT_ONCE) {
    const rows = await batchesAfter(transaction, chain, newest?.place ?? indexed.no)
    for (const row of rows) {
      addBody(seqsByAgent, row.seq, row.body)
      newest = row
      if (seqsByAgent.size >= GROUP.agents) break
    }
    if (rows.length < READ_AT_ONCE) break
  }
  if (!newest) return Number.POSITIVE_INFINITY
  await insertEntries(transaction, chain.day, seqsByAgent)
  await marks.write(name, { no: newest.place, hash: newest.hash })
  return newest.place
}

async function batchesAfter(transaction: Transaction<Schema>, { day, instance }: ChainId, place: number) {
  const { rows } = await sql<Row>`
    select seq, place, body, hash from audit_batches
    where day = ${day} and instance = ${instance} and place > ${place}
    order by place limit ${sql.lit(READ_AT_ONCE)}`.execute(transaction)
  return rows
}

async function insertEntries(
  transaction: Transaction<Schema>,
  day: number,
  seqsByAgent: SeqsByAgent,
): Promise<void> {
  const entries = [...seqsByAgent].flatMap(([agentNo, seqs]) =>
    Array.from(Map.groupBy(seqs, windowStart).values(), (inWindow) => ({
      agent_no: agentNo,
      last_seq: inWindow.at(-1),
      day,
      seqs: JSON.stringify(inWindow),
    })),
  )
  await sql`insert into agent_batches
    select * from json_populate_recordset(null::agent_batches, ${JSON.stringify(entries)})
    order by agent_no`.execute(transaction)
}

/**
 * Chains with batches after those indexed, and the place of their last batch. Compared in the database: there are two
 * marks for each day and instance of the log, and every reader asks.
 */
async function findBehind(db: Database) {
  const { rows } = await sql<{ name: string; last: number }>`
    select ends.name, ends.no as last from audit_marks ends
    left join audit_marks indexed on indexed.name = ${sql.lit(indexedMarkName('end'))} || substr(ends.name, 4)
    where ends.name like 'end %' and ends.no > coalesce(indexed.no, 0)`.execute(db)
  return rows.flatMap(({ name, last: end }) => {
    const chain = toChainId(name)
    return chain ? [{ chain, end }] : []
  })
}
