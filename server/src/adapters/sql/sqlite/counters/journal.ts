import type { DatabaseSync } from 'node:sqlite'
import type { AgentCounters } from '../../admission/agent-counters.ts'
import { toEntry } from './counter-rows.ts'

/** A row of the journal, the length of its text, and the free row that it overwrites. */
export type Slot = { readonly slot: number; readonly length: number; readonly over: Slot | undefined }

/** The length of a text that fills one page of SQLite's usual size, and the length that each further page adds. */
const FIRST_PAGE = 4_040
const NEXT_PAGE = 4_092

/**
 * The rows of the journal, one for each commit. Rows are overwritten once they are folded; an entry that is not newer
 * than the agent's row does not count. Everything is written inside the caller's transaction.
 */
export function openJournal(database: DatabaseSync) {
  const insert = database.prepare('insert into counter_journal (seq, body, slot) values (?, ?, ?)')
  const update = database.prepare('update counter_journal set seq = ?, body = ? where slot = ?')
  const remove = database.prepare('delete from counter_journal where slot >= ? and slot < ?')
  // Rows that an earlier process could not read stay, so that `audit verify` reports them.
  const first =
    Number(database.prepare('select max(slot) as last from counter_journal').get()?.['last'] ?? 0) + 1
  /** Rows that may be overwritten. */
  let free: Slot[] = []
  let next = first

  return {
    append(seq: number, changed: ReadonlyMap<number, AgentCounters>): Slot {
      const body = toBody(changed)
      const { length } = body
      // A text of the same length changes no other page. Otherwise any free row is better than a new one.
      const over = free.findLast((each) => each.length === length) ?? free.at(-1)
      const slot = over?.slot ?? next
      // Another program may have deleted the row.
      if (!over || update.run(seq, body, slot).changes === 0) insert.run(seq, body, slot)
      return { slot, length, over }
    },
    /** Call it after the commit that has written the row. */
    take({ over }: Slot): void {
      if (over) free.splice(free.lastIndexOf(over), 1)
      else next += 1
    },
    /** The entries in these slots are folded. */
    release(slots: readonly Slot[]): void {
      for (const { slot, length } of slots) free.push({ slot, length, over: undefined })
    },
    isEmpty: (): boolean => next === first,
    /** Removes all rows; after the commit, call `emptied`. */
    empty: (): void => void remove.run(first, next),
    emptied(): void {
      free = []
      next = first
    },
  }
}

function toBody(changed: ReadonlyMap<number, AgentCounters>): string {
  const text = JSON.stringify(Array.from(changed, ([agentNo, counters]) => toEntry(agentNo, counters)))
  const pages = Math.max(0, Math.ceil((text.length - FIRST_PAGE) / NEXT_PAGE))
  return text.padEnd(FIRST_PAGE + pages * NEXT_PAGE)
}
