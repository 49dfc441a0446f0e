import type { DatabaseSync } from 'node:sqlite'
import type { AddressCount } from '#ports/stores/admission.ts'

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
  const noted = noteCounts()
  let minute = 0
  let mayHaveOld = true

  return {
    note(count: AddressCount): void {
      if (count.minuteStart !== minute) {
        noted.clear()
        mayHaveOld = true
      }
      minute = count.minuteStart
      noted.set(count)
    },
    isEmpty: () => noted.isEmpty(),
    /** Inside the caller's transaction. What is noted stays until `committed`. */
    write(): void {
      if (noted.isEmpty()) return
      noted.forEach(({ minuteStart, high, low, hits }) => {
        upsert.run(minuteStart, high, low, hits)
      })
      if (!mayHaveOld) return
      mayHaveOld = Number(sweep.run(minute, minute + ABSURDLY_AHEAD_MS).changes) === SWEEP_ROWS
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

/** The newest count of each address. Half of its hash finds it; the other half tells apart the few that share one. */
function noteCounts() {
  const byLow = new Map<number, AddressCount>()
  const others = new Map<string, AddressCount>()
  return {
    set(count: AddressCount): void {
      const found = byLow.get(count.low)
      if (found === undefined ? byLow.size < MOST_NOTED : found.high === count.high)
        byLow.set(count.low, count)
      else if (found !== undefined) others.set(`${count.high} ${count.low}`, count)
    },
    isEmpty: () => byLow.size === 0,
    forEach(visit: (count: AddressCount) => void): void {
      byLow.forEach(visit)
      others.forEach(visit)
    },
    clear(): void {
      byLow.clear()
      others.clear()
    },
  }
}
