import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import type { Database, Schema } from './schema.ts'

/** An open store. The SQL dialect differences of the two engines are in this file. */
export type SqlStore = AsyncDisposable & {
  readonly db: Kysely<Schema>
  /** Settings with which a crash can lose acknowledged writes, one sentence each. */
  readonly risks: readonly string[]
}

export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** An auto-increment column. Explicit numbers are allowed, to copy rows from another store. */
export const numbered = (db: Database) => (column: ColumnDefinitionBuilder) =>
  isPostgres(db) ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement()

/** Text ordered by bytes, as SQLite orders all text, whatever the database's locale. */
export const orderedText = (db: Database) => (isPostgres(db) ? sql`text collate "C"` : 'text')

/** Many rows as one JSON parameter to select from: `row ->> 'column'` is a column, as text. */
export const rowsOf = (db: Database, rows: readonly object[]) =>
  isPostgres(db)
    ? sql`json_array_elements(${JSON.stringify(rows)}::json) as given(row)`
    : sql`(select value as row from json_each(${JSON.stringify(rows)}))`

/** Critical sections over all instances. The numbers are keys of Postgres advisory locks. */
const SECTIONS = {
  migrations: 5_170_001,
  registrations: 5_170_002,
  'audit days': 5_170_003,
  'audit chains': 5_170_004,
  'audit checkpoints': 5_170_005,
  'agent actions': 5_170_006,
} as const

/** Locks a section until the transaction ends. */
export const lockStatement = (section: keyof typeof SECTIONS): string =>
  `select pg_advisory_xact_lock(${SECTIONS[section]})`

/** Locks a section until the transaction ends. On SQLite's single connection transactions never overlap. */
export async function lockSection(
  transaction: Transaction<Schema>,
  section: keyof typeof SECTIONS,
): Promise<void> {
  if (isPostgres(transaction)) await sql.raw(lockStatement(section)).execute(transaction)
}

/**
 * Bounds the wait for every lock until the transaction ends. DDL waits for readers such as pg_dump, and all later
 * statements on the table queue behind it.
 */
export async function boundLockWait(transaction: Transaction<Schema>, milliseconds: number): Promise<void> {
  if (isPostgres(transaction)) await sql.raw(`set local lock_timeout = ${milliseconds}`).execute(transaction)
}

/** Locks a query's rows until the transaction ends. SQLite needs no lock: its transactions never overlap. */
export const lockRows = <Query extends { forNoKeyUpdate(): Query }>(
  transaction: Transaction<Schema>,
  query: Query,
): Query => (isPostgres(transaction) ? query.forNoKeyUpdate() : query)

/** Class of the advisory locks on addresses, separate from those above. */
const ADDRESS_LOCKS = 5_170_100

/** Locks an address until the transaction ends. */
export async function lockAddress(transaction: Transaction<Schema>, digest: string): Promise<void> {
  if (!isPostgres(transaction)) return
  await sql`select pg_advisory_xact_lock(${sql.lit(ADDRESS_LOCKS)}, hashtext(${digest}))`.execute(transaction)
}
