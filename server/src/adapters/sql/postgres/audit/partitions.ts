import { sql, type Transaction } from 'kysely'
import { lockStatement } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'

const TABLES = ['audit_batches', 'agent_batches'] as const
type Table = (typeof TABLES)[number]
type Part = { readonly table: Table; readonly day: number }

/** Partitions that one statement creates, so that it does not time out. */
const PARTS_AT_ONCE = 15
/**
 * DDL waits for readers such as pg_dump, and all later statements queue behind it: it gives up before
 * requests notice, and the next run retries.
 */
const LOCK_TIMEOUT_MS = 100

type DaysByTable = Readonly<Record<Table, ReadonlySet<number>>>

/** Creates the missing partitions of some days, checking each table separately. */
export async function createMissing(
  db: Database,
  daysOf: (present: DaysByTable) => Iterable<number>,
): Promise<void> {
  const present = await listDaysByTable(db)
  const missing = [...new Set(daysOf(present))].flatMap((day) =>
    TABLES.filter((table) => !present[table].has(day)).map((table) => ({ table, day })),
  )
  for (let at = 0; at < missing.length; at += PARTS_AT_ONCE)
    await sql.raw(createParts(missing.slice(at, at + PARTS_AT_ONCE))).execute(db)
}

const partOf = ({ table, day }: Part) => `"${table}_${day}"`

/**
 * Waits without a limit for another instance that creates the same days, because nothing queues behind this
 * lock; only then sets the lock timeout. One statement, so one round trip and one transaction. Attaching a
 * table blocks neither readers nor writers of the log; `create table … partition of` would block both.
 */
function createParts(parts: readonly Part[]): string {
  return `do $$ begin
    ${lockStatement('audit days').replace('select', 'perform')};
    perform set_config('lock_timeout', '${LOCK_TIMEOUT_MS}ms', true);
    ${parts.map(createPart).join('\n')}
  end $$`
}

function createPart(part: Part): string {
  const { table, day } = part
  const name = partOf(part)
  return `if to_regclass('${name}') is null then
      create table ${name} (like ${table} including all);
      alter table ${table} attach partition ${name} for values from (${day}) to (${day + 1});
    end if;`
}

/** The days that each table has partitions for. */
async function listDaysByTable(db: Database): Promise<DaysByTable> {
  const { rows } = await sql<{ part: string }>`
    select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in (${sql.join(TABLES.map((table) => sql`to_regclass(${table})`))})`.execute(db)
  const days = (table: Table) =>
    new Set(
      rows.flatMap(({ part }) => (part.startsWith(`${table}_`) ? Number(part.slice(table.length + 1)) : [])),
    )
  return { audit_batches: days('audit_batches'), agent_batches: days('agent_batches') }
}

const sorted = (days: Iterable<number>): readonly number[] => [...days].sort((a, b) => a - b)

/** The days that the log has partitions for, oldest first. */
export const listAuditDays = async (db: Database): Promise<readonly number[]> =>
  sorted((await listDaysByTable(db)).audit_batches)

/** Days that only the indexes have partitions for, oldest first: another version dropped their batches. */
export async function listDaysWithoutLog(db: Database): Promise<readonly number[]> {
  const { audit_batches: log, ...indexes } = await listDaysByTable(db)
  return sorted(new Set(Object.values(indexes).flatMap((days) => [...days].filter((day) => !log.has(day)))))
}

/** The transaction must hold the `audit days` lock and end soon: writers of the log wait for it. */
export async function dropAuditDay(transaction: Transaction<Schema>, day: number): Promise<void> {
  await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`).execute(transaction)
  for (const table of TABLES) {
    await sql.raw(`drop table if exists ${partOf({ table, day })}`).execute(transaction)
  }
}
