import { sql, type Transaction } from 'kysely'
import { Fault } from '../../fault.ts'
import { chainHash } from './audit/batch.ts'
import { CHAINS_MARK, EMBEDDED, endMarkName, withChain } from './audit/chains.ts'
import { EMPTY_MARK, type Mark } from './audit/marks.ts'
import type { AuditSeal } from './audit/seal.ts'
import { readEnds } from './postgres/audit/checkpoints.ts'
import { openAuditIndex } from './postgres/audit/index-agents.ts'
import { postgresMarks } from './postgres/audit/marks.ts'
import type { PostgresStore } from './postgres/open.ts'
import type { Database, Schema } from './schema.ts'
import type { SqliteStore } from './sqlite/open.ts'

type Table = Exclude<keyof Schema, 'migrations'>
type Row = Record<string, unknown>

/** Tables copied unchanged. The audit log is rebuilt instead; counts of the current minute are left out. */
const PLAIN_TABLES = [
  'snapshots',
  'snapshot_marks',
  'epoch_records',
  'epoch_commissions',
  'read_rates',
  'forecast_sets',
  'sandbox_states',
  'agents',
  'policies',
  'reservations',
  'reserved_sums',
  'approvals',
  'agent_keys',
  'key_uses',
  'verifications',
  'outbox',
  'mail_counts',
  'registration_hits',
  'agent_activity',
  'user_activity',
  'agent_days',
  'mailed_codes',
  'code_tries',
  'proven_networks',
  'agent_actions',
  'wallet_challenges',
  'done_requests',
  'kept_builds',
  'sessions',
  'admin_factors',
  'recovery_codes',
  'factor_tries',
  'seals',
] as const satisfies readonly Table[]

const ROWS_PER_STEP = 500

export type Copied = Readonly<Record<string, number>>

type Needs = { readonly from: SqliteStore; readonly to: PostgresStore; readonly seal: AuditSeal }

/** Copies a SQLite store into an empty Postgres store in one transaction. Returns row counts by table. */
export async function copyStore({ from, to, seal }: Needs): Promise<Copied> {
  await refuseUsed(to.db)
  await prepareDays(from.db, to)
  const copied = await copyTables(from, to, seal)
  // The copy is complete without its index of agents: after a failure, readers continue it.
  await indexAgents(to, seal).catch(() => undefined)
  return copied
}

function copyTables(from: SqliteStore, to: PostgresStore, seal: AuditSeal): Promise<Copied> {
  return to.db.transaction().execute(async (transaction) => {
    const copied: Record<string, number> = {}
    for (const table of PLAIN_TABLES) copied[table] = await copyTable(from.db, transaction, table)
    copied['audit_batches'] = await copyBatches(from.db, transaction, seal)
    await advanceSequences(transaction)
    for (const [table, rows] of Object.entries(copied)) await assertCopied(transaction, table, rows)
    // Until autovacuum runs there would be no statistics, and Postgres would read and sort a whole table for one page.
    await sql`analyze ${sql.join(Object.keys(copied).map((table) => sql.table(table)))}`.execute(transaction)
    return copied
  })
}

async function refuseUsed(db: Database): Promise<void> {
  const used = await db.selectFrom('agents').select('no').limit(1).executeTakeFirst()
  if (used) throw new Fault('store_not_ready', 'The Postgres store is not empty. Nothing was copied.')
}

async function prepareDays(from: Database, { auditDays }: PostgresStore): Promise<void> {
  const { rows } = await sql<{ day: number }>`select distinct day from audit_batches`.execute(from)
  for (const { day } of rows) await auditDays.ensure(day)
}

/** A table's rows in pages, in order of writing. */
async function* pagesOf(db: Database, table: Table): AsyncGenerator<readonly Row[]> {
  let last = 0
  for (;;) {
    const { rows } = await sql<Row & { row_number: number }>`
      select t.rowid as row_number, t.* from ${sql.table(table)} t
      where t.rowid > ${last} order by t.rowid limit ${sql.lit(ROWS_PER_STEP)}`.execute(db)
    if (rows.length === 0) return
    last = rows.at(-1)?.row_number ?? last
    yield rows.map(({ row_number: _, ...row }) => row)
  }
}

/** Postgres matches columns by name and converts to their types. */
async function insert(db: Database, table: Table, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const name = sql.table(table)
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`insert into ${name} (${columns})
    select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(rows)})`.execute(db)
}

async function copyTable(from: Database, to: Database, table: Table): Promise<number> {
  let copied = 0
  for await (const rows of pagesOf(from, table)) {
    await insert(to, table, rows)
    copied += rows.length
  }
  return copied
}

/** Rebuilds the hash chains per day with the new store's seal, whose next checkpoints sign them. */
async function copyBatches(from: Database, to: Transaction<Schema>, seal: AuditSeal): Promise<number> {
  const ends = new Map<number, Mark>()
  let copied = 0
  for await (const rows of pagesOf(from, 'audit_batches')) {
    const sealed = rows.map((row) => {
      const day = Number(row['day'])
      const { no, hash: previous } = ends.get(day) ?? EMPTY_MARK
      const hash = chainHash(previous, Number(row['seq']), day, String(row['body']))
      ends.set(day, { no: no + 1, hash })
      return { ...row, instance: EMBEDDED, place: no + 1, hash }
    })
    await insert(to, 'audit_batches', sealed)
    copied += rows.length
  }
  await writeEnds(to, seal, ends)
  return copied
}

async function writeEnds(to: Database, seal: AuditSeal, ends: ReadonlyMap<number, Mark>): Promise<void> {
  const marks = postgresMarks(to, seal)
  let chains = EMPTY_MARK
  for (const [day, end] of ends) {
    const chain = { instance: EMBEDDED, day }
    chains = withChain(chains, chain, seal)
    await marks.write(endMarkName(chain), end)
  }
  await marks.write(CHAINS_MARK, chains)
}

/** Each group of each chain has its own transaction. */
async function indexAgents({ db }: PostgresStore, seal: AuditSeal): Promise<void> {
  const { extend } = openAuditIndex(db, seal)
  for (const chain of await readEnds(db)) while (Number.isFinite(await extend(chain)));
  await sql`analyze agent_batches`.execute(db)
}

/** Makes the sequences continue after the copied numbers. */
async function advanceSequences(db: Database): Promise<void> {
  await sql`select setval('audit_seq', greatest(1, (select max(seq) from audit_batches)))`.execute(db)
  for (const [table, column] of [
    ['agents', 'no'],
    ['outbox', 'id'],
    ['agent_actions', 'no'],
  ] as const) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${column}),
        greatest(1, (select max(${sql.ref(column)}) from ${sql.table(table)})))`.execute(db)
  }
}

async function assertCopied(db: Database, table: string, expected: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  const found = Number(rows[0]?.count)
  if (found !== expected) {
    throw new Fault('store_not_ready', `${table}: ${found} of ${expected} rows arrived. Nothing was copied.`)
  }
}
