import type { DatabaseSync } from 'node:sqlite'

/** In SQLite's numbering; from `full` on, a commit is on disk. */
const SYNCHRONOUS = ['off', 'normal', 'full', 'extra']
const FULL = 2

/**
 * Reads back the settings that decide whether a commit is durable: SQLite silently ignores a pragma that it
 * cannot apply. Returns the risky ones, a sentence each.
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
