import type { DatabaseSync } from 'node:sqlite'
import type { AddressCount } from '#ports/admission.ts'

/** Counts of other minutes are swept out so many at a time: a flood of addresses must not stall one request. */
const SWEEP_ROWS = 500
/** While the store cannot be written no more are noted than this; what is missing matters only after a restart. */
const MOST_NOTED = 100_000
/** A minute this far ahead is one of a clock that was wrong. */
const ABSURDLY_AHEAD_MS = 300_000

/** The requests of each address in the present minute, kept for the time after a restart. */
export function openAddressHits(database: DatabaseSync) {
  const upsert = database.prepare(
    `insert into address_hits (minute, high, low, hits) values (?, ?, ?, ?)
     on conflict (minute, high, low) do update set hits = max(hits, excluded.hits)`,
  )
  const sweep = database.prepare(
    `delete from address_hits where rowid in
       (select rowid from address_hits where minute < ? or minute > ? limit ${SWEEP_ROWS})`,
  )
  const select = database.prepare('select high, low, hits from address_hits where minute = ?')
  const noted = new Map<string, AddressCount>()
  let minute = 0

  return {
    note(count: AddressCount): void {
      if (count.minuteStart !== minute) noted.clear()
      minute = count.minuteStart
      const key = `${count.high} ${count.low}`
      if (noted.size < MOST_NOTED || noted.has(key)) noted.set(key, count)
    },
    isEmpty: () => noted.size === 0,
    /** Inside the caller's transaction. What is noted stays until `committed`. */
    write(): void {
      if (noted.size === 0) return
      for (const { minuteStart, high, low, hits } of noted.values()) upsert.run(minuteStart, high, low, hits)
      sweep.run(minute, minute + ABSURDLY_AHEAD_MS)
    },
    committed(): void {
      noted.clear()
    },
    load(minuteStart: number): readonly AddressCount[] {
      return select.all(minuteStart).map(({ high, low, hits }) => ({
        minuteStart,
        high: Number(high),
        low: Number(low),
        hits: Number(hits),
      }))
    },
  }
}
