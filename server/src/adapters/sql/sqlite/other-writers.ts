import type { DatabaseSync } from 'node:sqlite'

/** Tells whether rows cached by an earlier transaction are still current. */
type OtherWriters = {
  /** Whether any connection has written since `leave`. Call it inside a transaction. */
  haveWritten(): boolean
  /** Marks all writes so far as known. Call it at the end of the transaction. */
  leave(): void
}

/**
 * Compares `total_changes()`, the rows changed by this connection, and `data_version`, which changes with
 * commits of others. While both are unchanged, so is the database.
 */
export function watchOtherWriters(database: DatabaseSync): OtherWriters {
  const countHere = database.prepare('select total_changes() as changes')
  const countElsewhere = database.prepare('pragma data_version')
  const here = () => countHere.get()?.['changes']
  const elsewhere = () => countElsewhere.get()?.['data_version']
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
    leave() {
      lastHere = here()
    },
  }
}
