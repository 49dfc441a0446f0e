import type { DatabaseSync } from 'node:sqlite'
import type { AddressCount } from '#ports/stores/admission.ts'

/** Rows of other minutes deleted per commit: a flood of addresses must not stall one request. */
const SWEEP_ROWS = 500
/** So many addresses cost no more than a row of the journal. */
const FEW = 8
/** Most addresses held while the store cannot be written; missing counts matter only after a restart. */
const MOST_NOTED = 100_000
/** Minutes further ahead than this were written while the clock was wrong. */
const ABSURDLY_AHEAD_MS = 300_000

/**
 * Requests of each address in the current minute, stored so that limits survive a restart. A commit writes a few
 * addresses each into its row, and more than that together into one row of the journal.
 */
export function openAddressHits(database: DatabaseSync) {
  const upsert = database.prepare(
    `insert into address_hits (minute, high, low, hits) values (?, ?, ?, ?)
     on conflict (minute, high, low) do update set hits = max(hits, excluded.hits)`,
  )
  const append = database.prepare('insert into address_journal (minute, body) values (?, ?)')
  const sweeps = ['address_hits', 'address_journal'].map((table) =>
    database.prepare(
      `delete from ${table} where rowid in
         (select rowid from ${table} where minute < ? or minute > ? limit ${SWEEP_ROWS})`,
    ),
  )
  const select = database.prepare(
    `select high, low, max(hits) as hits from (
       select high, low, hits from address_hits where minute = :minute
       union all
       select value ->> 0, value ->> 1, value ->> 2
       from address_journal, json_each(case when json_valid(body) then body else '[]' end)
       where minute = :minute and case when type = 'array' then json_array_length(value) end = 3
     ) group by high, low`,
  )
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
    isEmpty: () => noted.size() === 0,
    /** Inside the caller's transaction. Counts stay in memory until `committed`. */
    write(): void {
      if (noted.size() === 0) return
      if (noted.size() > FEW) append.run(minute, toBody(noted.forEach))
      else noted.forEach(({ high, low, hits }) => void upsert.run(minute, high, low, hits))
      if (!mayHaveOld) return
      const swept = sweeps.map((sweep) => Number(sweep.run(minute, minute + ABSURDLY_AHEAD_MS).changes))
      mayHaveOld = swept.includes(SWEEP_ROWS)
    },
    committed(): void {
      noted.clear()
    },
    load(minuteStart: number): readonly AddressCount[] {
      return select.all({ minute: minuteStart }).map(({ high, low, hits }) => ({
        minuteStart,
        high: Number(high),
        low: Number(low),
        hits: Number(hits),
      }))
    },
  }
}

function toBody(forEach: (visit: (count: AddressCount) => void) => void): string {
  const rows: number[][] = []
  forEach(({ high, low, hits }) => rows.push([high, low, hits]))
  return JSON.stringify(rows)
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
    size: () => byLow.size + others.size,
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
