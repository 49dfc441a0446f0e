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
      // Nobody else can commit before this transaction ends.
      lastElsewhere = now
      return !isQuiet
    },
    leave() {
      lastHere = here()
    },
  }
}
