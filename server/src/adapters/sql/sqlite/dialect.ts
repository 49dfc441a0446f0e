import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { withSqliteFaults } from './errors.ts'

const KEPT_STATEMENTS = 200

/**
 * Takes the write lock before the first read. A transaction that reads first and writes later fails at once,
 * without a wait, if the checkpoint thread holds the lock in between.
 */
const BEGIN = 'begin immediate'

/** Hooks around each statement. */
type Around = { before?(sql: string): void; after?(sql: string): void }

/** Kysely on `node:sqlite`. Kysely serialises queries and transactions on the single connection. */
export function sqliteDialect(database: DatabaseSync, around: Around = {}): SqliteDialect {
  const kept = new Map<string, SqliteStatement>()
  const prepared: SqliteDatabase = {
    prepare(sql) {
      around.before?.(sql)
      const known = kept.get(sql)
      if (known) return known
      if (kept.size >= KEPT_STATEMENTS) kept.clear()
      const statement = prepareStatement(database, sql, around)
      kept.set(sql, statement)
      return statement
    },
    close: () => database.close(),
  }
  return new SqliteDialect({ database: prepared })
}

function prepareStatement(database: DatabaseSync, sql: string, around: Around): SqliteStatement {
  const statement = withSqliteFaults(() => database.prepare(sql === 'begin' ? BEGIN : sql))
  function execute<T>(work: () => T): T {
    const result = withSqliteFaults(work)
    around.after?.(sql)
    return result
  }
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => execute(() => statement.all(...toInputs(parameters))),
    run: (parameters) => execute(() => runStatement(database, sql, statement, toInputs(parameters))),
    iterate: (parameters) => withSqliteFaults(() => statement.iterate(...toInputs(parameters))),
  }
}

function runStatement(
  database: DatabaseSync,
  sql: string,
  statement: StatementSync,
  inputs: SQLInputValue[],
) {
  // SQLite rolls back by itself when the disk is full or fails: nothing is left to roll back, and an error
  // about that would hide the cause.
  if (sql === 'rollback' && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 }
  return statement.run(...inputs)
}

/** Kysely's parameters are the values of typed columns: numbers, text and null. SQLite refuses anything else. */
function toInputs(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[]
}
