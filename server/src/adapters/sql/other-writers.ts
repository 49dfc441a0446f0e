import type { DatabaseSync } from 'node:sqlite'

/** Tells whether what was read in an earlier transaction may still be believed in this one. */
export type OtherWriters = {
  /** Whether anything was written since `leave`, by whomever. To be asked inside a transaction. */
  haveWritten(): boolean
  /** Everything up to here is known. To be called at the end of the transaction. */
  leave(): void
}

/**
 * SQLite counts the rows that this connection has changed, and notices commits of others. As long as neither figure
 * has moved, nothing in the database has.
 */
export function watchOtherWriters(database: DatabaseSync): OtherWriters {
  const look = database.prepare(
    'select total_changes() as here, data_version as elsewhere from pragma_data_version',
  )
  let here: unknown
  let elsewhere: unknown
  return {
    haveWritten() {
      const seen = look.get()
      return seen?.['here'] !== here || seen?.['elsewhere'] !== elsewhere
    },
    leave() {
      const seen = look.get()
      here = seen?.['here']
      elsewhere = seen?.['elsewhere']
    },
  }
}
