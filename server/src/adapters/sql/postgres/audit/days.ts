import { sql, type Transaction } from 'kysely'
import { lockStatement } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'

/** `audit_agents` is written by instances of the version before only. */
const TABLES = ['audit_batches', 'agent_batches', 'audit_agents'] as const
/** Partitions are created this many days ahead, so that failed attempts of a night do no harm. */
const DAYS_AHEAD = 3
/**
 * DDL waits for readers such as pg_dump, and all later statements queue behind it: it gives up before
 * requests notice, and the next run retries.
 */
const LOCK_TIMEOUT_MS = 100

export type AuditDays = {
  /** Creates missing partitions from yesterday to some days ahead: the store's clock may differ. */
  prepareAhead(today: number): Promise<void>
  /** Creates missing partitions of the day and its neighbours; cached, so that it rarely queries. */
  ensure(day: number): Promise<void>
  /** Clears the cache, after a write found no partition. */
  clearCache(): void
}

/** Partitions of the audit log, one per UTC day, created ahead and dropped as a whole. */
export function openAuditDays(db: Database): AuditDays {
  const ready = new Set<number>()

  async function prepare(from: number, to: number): Promise<void> {
    const days = Array.from({ length: to - from + 1 }, (_, at) => from + at)
    if (days.every((day) => ready.has(day))) return
    const present = new Set(await listAuditDays(db))
    const missing = days.filter((day) => !present.has(day))
    if (missing.length > 0) await sql.raw(createDays(missing)).execute(db)
    for (const day of days) ready.add(day)
  }

  return {
    prepareAhead: (today) => prepare(today - 1, today + DAYS_AHEAD),
    async ensure(day) {
      if (!ready.has(day)) await prepare(day - 1, day + 1)
    },
    clearCache: () => ready.clear(),
  }
}

const partOf = (table: (typeof TABLES)[number], day: number) => `"${table}_${day}"`

/**
 * Waits without a limit for another instance that creates the same days, because nothing queues behind this
 * lock; only then sets the lock timeout. One statement, so one round trip and one transaction. Attaching a
 * table blocks neither readers nor writers of the log; `create table … partition of` would block both.
 */
function createDays(days: readonly number[]): string {
  const parts = days.flatMap((day) => TABLES.map((table) => createPart(table, day)))
  return `do $$ begin
    ${lockStatement('audit days').replace('select', 'perform')};
    perform set_config('lock_timeout', '${LOCK_TIMEOUT_MS}ms', true);
    ${parts.join('\n')}
  end $$`
}

function createPart(table: (typeof TABLES)[number], day: number): string {
  const part = partOf(table, day)
  return `if to_regclass('${part}') is null then
      create table ${part} (like ${table} including all);
      alter table ${table} attach partition ${part} for values from (${day}) to (${day + 1});
    end if;`
}

/** The days that the log has partitions for, oldest first. */
export async function listAuditDays(db: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_batches'::regclass`.execute(db)
  return rows.map(({ name }) => Number(name.slice('audit_batches_'.length))).sort((a, b) => a - b)
}

/** The transaction must hold the `audit days` lock and end soon: writers of the log wait for it. */
export async function dropAuditDay(transaction: Transaction<Schema>, day: number): Promise<void> {
  await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`).execute(transaction)
  for (const table of TABLES) {
    await sql.raw(`drop table if exists ${partOf(table, day)}`).execute(transaction)
  }
}
