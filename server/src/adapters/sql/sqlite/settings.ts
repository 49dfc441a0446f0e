import type { DatabaseSync } from 'node:sqlite'

/** As SQLite numbers them; from full on, a commit is on the disk. */
const SYNCHRONOUS = ['off', 'normal', 'full', 'extra']
const FULL = 2

/**
 * Reads back what decides whether a commit lasts: SQLite takes a pragma that it cannot obey without an error. Gives
 * back what is risky, a sentence each.
 */
export function readBackSettings(database: DatabaseSync): readonly string[] {
  const read = (name: string) => database.prepare(`pragma ${name}`).get()?.[name]
  const risks: string[] = []
  const journal = String(read('journal_mode'))
  if (journal !== 'wal')
    risks.push(
      `SQLite has journal_mode = ${journal}: readers and writers wait for each other. Put DATA_DIR on a local disk, where it can be wal.`,
    )
  const synchronous = Number(read('synchronous'))
  if (synchronous < FULL)
    risks.push(
      `SQLite has synchronous = ${SYNCHRONOUS[synchronous]}: a power cut can lose the last things that were acknowledged. Set SQLITE_SYNCHRONOUS=full.`,
    )
  return risks
}
