import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { withSqliteFaults } from './errors.ts'

const KEPT_STATEMENTS = 200

/**
 * Takes the write lock before the first read. A transaction that reads first and writes later fails at once,
 * without a wait, if the checkpoint thread holds the lock in between.
 */
const BEGIN = 'begin immediate'

/**
 * Kysely on `node:sqlite`. Kysely serialises queries and transactions on the single connection; `beforeEach`
 * is called before each of its statements.
 */
export function sqliteDialect(database: DatabaseSync, beforeEach: (sql: string) => void): SqliteDialect {
  const kept = new Map<string, SqliteStatement>()
  const prepared: SqliteDatabase = {
    prepare(sql) {
      beforeEach(sql)
      const known = kept.get(sql)
      if (known) return known
      if (kept.size >= KEPT_STATEMENTS) kept.clear()
      const statement = prepareStatement(database, sql)
      kept.set(sql, statement)
      return statement
    },
    close: () => database.close(),
  }
  return new SqliteDialect({ database: prepared })
}

function prepareStatement(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = withSqliteFaults(() => database.prepare(sql === 'begin' ? BEGIN : sql))
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => withSqliteFaults(() => statement.all(...toInputs(parameters))),
    run: (parameters) => withSqliteFaults(() => runStatement(database, sql, statement, toInputs(parameters))),
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
