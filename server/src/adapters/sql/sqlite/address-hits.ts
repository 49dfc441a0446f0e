import type { DatabaseSync } from 'node:sqlite'
import type { AddressCount } from '#ports/stores/admission.ts'

/** Rows of other minutes deleted per commit: a flood of addresses must not stall one request. */
const SWEEP_ROWS = 500
/** Most addresses held while the store cannot be written; missing counts matter only after a restart. */
const MOST_NOTED = 100_000
/** Minutes further ahead than this were written while the clock was wrong. */
const ABSURDLY_AHEAD_MS = 300_000

/** Requests of each address in the current minute, stored so that limits survive a restart. */
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
    /** Inside the caller's transaction. Counts stay in memory until `committed`. */
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

/** The newest count of each address, keyed by half of its hash; those that collide, by both halves. */
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
