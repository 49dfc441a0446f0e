import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import type { Database, Schema } from './schema.ts'

/** An open store. What the two engines say differently is in this file; everything else is said once for both. */
export type SqlStore = AsyncDisposable & {
  readonly db: Kysely<Schema>
  /** Settings with which a crash can lose what was acknowledged, a sentence each. */
  readonly risks: readonly string[]
}

export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Counts up by itself. A number may be given, so that rows can be copied from another store. */
export const numbered = (db: Database) => (column: ColumnDefinitionBuilder) =>
  isPostgres(db) ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement()

/** Text that is ordered byte by byte, as SQLite orders all text, whatever the language of the database. */
export const orderedText = (db: Database) => (isPostgres(db) ? sql`text collate "C"` : 'text')

/** Many rows as one value, to select from: `row ->> 'column'` is a column of one of them, as text. */
export const rowsOf = (db: Database, rows: readonly object[]) =>
  isPostgres(db)
    ? sql`json_array_elements(${JSON.stringify(rows)}::json) as given(row)`
    : sql`(select value as row from json_each(${JSON.stringify(rows)}))`

/** Critical sections: of all instances one is in each at a time. The numbers are those of Postgres' advisory locks. */
const SECTIONS = {
  migrations: 5_170_001,
  registrations: 5_170_002,
  'audit days': 5_170_003,
  'audit chains': 5_170_004,
  'audit checkpoints': 5_170_005,
  'agent actions': 5_170_006,
} as const

/** Takes the lock of a section until the transaction ends. */
export const lockStatement = (section: keyof typeof SECTIONS): string =>
  `select pg_advisory_xact_lock(${SECTIONS[section]})`

/**
 * From here to its end, no other transaction is in the same section. The embedded store has one connection, so its
 * transactions never overlap.
 */
export async function lockSection(
  transaction: Transaction<Schema>,
  section: keyof typeof SECTIONS,
): Promise<void> {
  if (isPostgres(transaction)) await sql.raw(lockStatement(section)).execute(transaction)
}

/**
 * The rows of a query, which no other transaction changes until this one ends. The embedded store has one connection, so
 * its transactions never overlap.
 */
export const lockRows = <Query extends { forNoKeyUpdate(): Query }>(
  transaction: Transaction<Schema>,
  query: Query,
): Query => (isPostgres(transaction) ? query.forNoKeyUpdate() : query)

/** The advisory locks of addresses; their space is apart from that of the sections above. */
const ADDRESS_LOCKS = 5_170_100

/** From here to its end, no other transaction that locked the address is under way. */
export async function lockAddress(transaction: Transaction<Schema>, digest: string): Promise<void> {
  if (!isPostgres(transaction)) return
  await sql`select pg_advisory_xact_lock(${sql.lit(ADDRESS_LOCKS)}, hashtext(${digest}))`.execute(transaction)
}
