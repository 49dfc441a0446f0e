import pg from 'pg'
import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import {
  CHAINS_MARK,
  EMBEDDED,
  endMarkName,
  indexedMarkName,
  toChainId,
  withChain,
} from '../../audit/chains.ts'
import { CHECKPOINT_COLUMNS } from '../../audit/checkpoint.ts'
import { DROPPED_CHECKPOINT, EMPTY_MARK, isSameMark } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { type StoredRows, storedRows } from '../../audit/stored-rows.ts'
import { type AuditVerdict, Broken } from '../../audit/verify/verdict.ts'
import { type Marks, type Section, type StoredLog, verifyLog } from '../../audit/verify/verify.ts'
import type { ChainBounds } from '../../audit/verify/verify-chains.ts'
import { type DayCharge, toDayCharge } from '../../audit/verify/verify-charges.ts'
import { dayCountsOf } from '../../audit/verify/verify-counts.ts'
import type { RowsCheck } from '../../audit/verify/verify-rows.ts'
import { fetchRows } from '../cursor.ts'
import { toStoreFault } from '../errors.ts'
import { parserOf } from '../parsers.ts'
import { WINDOW } from './index-agents.ts'

const CONNECT_MS = 5_000

/** Verifies a Postgres store in one read-only snapshot. Without `check`, only the log of requests. */
export async function verifyPostgresAudit(
  urls: string | readonly string[],
  seal: AuditSeal,
  anchors: readonly AuditAnchor[] = [],
  check?: RowsCheck,
): Promise<AuditVerdict> {
  const [url = '', ...others] = typeof urls === 'string' ? [urls] : urls
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    types: { getTypeParser: parserOf },
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    if (others.length > 0) return verifyPostgresAudit(others, seal, anchors, check)
    throw toStoreFault(error)
  }
  try {
    await client.query('begin isolation level repeatable read read only')
    const store = check && { rows: postgresRows(client), ...check }
    return await verifyLog(postgresLog(client, seal), seal, anchors, store)
  } catch (error) {
    throw toStoreFault(error)
  } finally {
    await client.end().catch(() => {})
  }
}

const TABLES = `select relname as name from pg_class
  where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`

const postgresRows = (client: pg.ClientBase): StoredRows =>
  storedRows('postgres', async (query) => (await client.query(query)).rows, TABLES)

/** The log as the caller's transaction sees it: one chain per instance and day. */
export function postgresLog(client: pg.ClientBase, seal: AuditSeal): StoredLog {
  return {
    marks: () => fetchRows(client, 'marks', 'select name, no, hash, mac from audit_marks'),
    checkpoints: () =>
      fetchRows(client, 'signed', `select ${CHECKPOINT_COLUMNS} from audit_checkpoints order by no`),
    chainsOf: (marks) => chainsOf(marks, seal),
    chainOf: endMarkName,
    sections: () => sectionsOf(client),
    // The index lags behind the log.
    isIndexed: ({ chain, place }, marks) => place <= (marks.get(indexedMarkName(chain)) ?? EMPTY_MARK).no,
    async hasCounted() {
      const query = 'select 1 from agent_activity union all select 1 from user_activity limit 1'
      return ((await client.query(query)).rowCount ?? 0) > 0
    },
    dayCounts: () => dayCountsOf((query) => fetchRows(client, 'counts', query)),
    dayCharges: () => dayChargesOf(client),
    // A log copied from SQLite may lack batches that were dropped before.
    isWhole: (marks) =>
      !marks.has(DROPPED_CHECKPOINT) && marks.keys().every((name) => toChainId(name)?.instance !== EMBEDDED),
  }
}

async function* dayChargesOf(client: pg.ClientBase): AsyncGenerator<DayCharge> {
  const query = 'select agent_no, day_start, day_used from agent_activity'
  for await (const row of fetchRows(client, 'charges', query)) yield toDayCharge(row)
}

/** The mark of all chains reveals a chain whose rows and own mark are all missing. */
function chainsOf(marks: Marks, seal: AuditSeal): ReadonlyMap<string, ChainBounds> {
  const chains = new Map<string, ChainBounds>()
  let sum = EMPTY_MARK
  for (const [name, end] of marks) {
    const chain = toChainId(name)
    if (!chain) continue
    chains.set(name, { beginning: EMPTY_MARK, end })
    sum = withChain(sum, chain, seal)
  }
  if (isSameMark(sum, marks.get(CHAINS_MARK) ?? EMPTY_MARK)) return chains
  throw new Broken(0, 'a chain of the log is missing')
}

/** A store that only versions before the index have opened has none. */
const HAS_INDEX = "select to_regclass('agent_batches') is not null as yes"
const PARTITIONS = `select distinct pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('audit_batches'::regclass, to_regclass('agent_batches'))`
const DAY_BOUND = /^FOR VALUES FROM \('?(?<day>-?\d+)'?\) TO \('?(?<next>-?\d+)'?\)$/

/** Reads one partition at a time: sorting the whole log would need as much space again. */
async function* sectionsOf(client: pg.ClientBase): AsyncGenerator<Section> {
  const { rows } = await client.query<{ bound: string }>(PARTITIONS)
  const days = rows.map(({ bound }) => {
    const { day, next } = DAY_BOUND.exec(bound)?.groups ?? {}
    if (Number(day) + 1 !== Number(next)) throw new Broken(0, 'a partition of the log is not one of its days')
    return Number(day)
  })
  for (const day of days.sort((a, b) => a - b)) {
    yield { batches: batchesOf(client, day), entries: entriesOf(client, day) }
  }
}

async function* batchesOf(client: pg.ClientBase, ofDay: number): Section['batches'] {
  const query = `select seq, day, instance, place, body, hash from audit_batches where day = ${ofDay} order by seq`
  for await (const row of fetchRows(client, 'batches', query)) {
    const day = Number(row['day'])
    yield {
      seq: Number(row['seq']),
      day,
      chain: endMarkName({ day, instance: String(row['instance']) }),
      place: Number(row['place']),
      body: String(row['body']),
      hash: String(row['hash']),
    }
  }
}

/** An entry that is not found by its last batch, or not a list of batches. */
const MISPLACED = `case when seqs ~ '^\\[\\d{1,15}(,\\d{1,15})*\\]$'
  then last_seq <> (seqs::json ->> -1)::bigint or last_seq / ${WINDOW} <> (seqs::json ->> 0)::bigint / ${WINDOW}
  else true end`

async function* entriesOf(client: pg.ClientBase, day: number): Section['entries'] {
  if (!(await client.query(HAS_INDEX)).rows[0]?.yes) return
  const { rows } = await client.query(
    `select last_seq from agent_batches where day = ${day} and ${MISPLACED} limit 1`,
  )
  if (rows[0]) throw new Broken(Number(rows[0].last_seq), 'the index of agents was changed')
  const query = `select agent_no, value::bigint as seq
    from agent_batches cross join lateral json_array_elements_text(seqs::json)
    where day = ${day} order by seq, agent_no`
  for await (const row of fetchRows(client, 'agents', query)) {
    yield { seq: Number(row['seq']), agentNo: Number(row['agent_no']) }
  }
}
