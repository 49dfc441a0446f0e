import type { DatabaseSync } from 'node:sqlite'
import type { CounterValues } from './counter-rows.ts'

/** A row of the journal. Only text of the same length is written over a row without other pages. */
export type Slot = { readonly slot: number; readonly length: number }

/** A text of the first length fills a page of SQLite's usual size, and each further page takes the second. */
const FIRST_PAGE = 4_040
const NEXT_PAGE = 4_092

/**
 * The rows of the journal, one for each commit. They are written again once they are folded: an entry that is no newer
 * than the agent's row does not count. Everything is written inside the caller's transaction.
 */
export function openJournal(database: DatabaseSync) {
  const insert = database.prepare('insert into counter_journal (seq, body, slot) values (?, ?, ?)')
  const update = database.prepare('update counter_journal set seq = ?, body = ? where slot = ?')
  const remove = database.prepare('delete from counter_journal where slot >= ? and slot < ?')
  // What an earlier process could not read is left for `audit verify` to find.
  const first =
    Number(database.prepare('select max(slot) as last from counter_journal').get()?.['last'] ?? 0) + 1
  const free = new Map<number, number[]>()
  let next = first

  return {
    append(seq: number, changed: ReadonlyMap<number, CounterValues>): Slot {
      const body = toBody(changed)
      const known = free.get(body.length)?.at(-1)
      if (known === undefined) insert.run(seq, body, next)
      else update.run(seq, body, known)
      return { slot: known ?? next, length: body.length }
    },
    /** After the commit that has written it. */
    take({ slot, length }: Slot): void {
      if (slot === next) next += 1
      else free.get(length)?.pop()
    },
    /** What was written into the slots is folded. */
    release(slots: readonly Slot[]): void {
      for (const { slot, length } of slots) {
        const same = free.get(length)
        if (same) same.push(slot)
        else free.set(length, [slot])
      }
    },
    isEmpty: (): boolean => next === first,
    /** Removes all rows; after the commit, call `emptied`. */
    empty: (): void => void remove.run(first, next),
    emptied(): void {
      free.clear()
      next = first
    },
  }
}

function toBody(changed: ReadonlyMap<number, CounterValues>): string {
  const text = JSON.stringify(Array.from(changed, ([agentNo, values]) => [agentNo, ...values]))
  const pages = Math.max(0, Math.ceil((text.length - FIRST_PAGE) / NEXT_PAGE))
  return text.padEnd(FIRST_PAGE + pages * NEXT_PAGE)
}
