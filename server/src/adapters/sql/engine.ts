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

/**
 * Bounds the wait for every lock until the transaction ends. DDL waits for readers such as pg_dump, and all later
 * statements on the table queue behind it.
 */
export async function boundLockWait(transaction: Transaction<Schema>, milliseconds: number): Promise<void> {
  if (isPostgres(transaction)) await sql.raw(`set local lock_timeout = ${milliseconds}`).execute(transaction)
}
