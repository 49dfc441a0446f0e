import type { DatabaseSync } from 'node:sqlite'

/** Detects writes that make rows cached by an earlier transaction outdated. */
type OtherWriters = {
  /** Whether any connection has written since `markSeen`. Call it inside a transaction. */
  haveWritten(): boolean
  /** Marks all writes so far as seen. Call it at the end of the transaction. */
  markSeen(): void
}

/**
 * Compares `total_changes()`, the rows changed by this connection, and `data_version`, which changes with
 * commits of others. While both are unchanged, so is the database.
 */
export function watchOtherWriters(database: DatabaseSync): OtherWriters {
  const here = readNumber(database, 'select total_changes()')
  const elsewhere = readNumber(database, 'pragma data_version')
  let lastHere: unknown
  let lastElsewhere: unknown
  return {
    haveWritten() {
      const now = elsewhere()
      const isQuiet = now === lastElsewhere && here() === lastHere
      // This transaction holds the write lock, so no other can commit before it ends.
      lastElsewhere = now
      return !isQuiet
    },
    markSeen() {
      lastHere = here()
    },
  }
}

/** The row comes as an array, which node:sqlite makes three times as fast as an object. */
function readNumber(database: DatabaseSync, query: string): () => unknown {
  const statement = database.prepare(query)
  statement.setReturnArrays(true)
  return () => toArray(statement.get())[0]
}

/** Guaranteed by `setReturnArrays`; both queries return exactly one row. */
const toArray = (row: unknown): readonly unknown[] => row as readonly unknown[]
