import type { DatabaseSync } from 'node:sqlite'
import type { AddressCount } from '#ports/admission.ts'

/** Counts of past minutes are swept out so many at a time: a flood of addresses must not stall one request. */
const SWEEP_ROWS = 500

/** The requests of each address in the present minute, kept for the time after a restart. */
export function openAddressHits(database: DatabaseSync) {
  const upsert = database.prepare(
    `insert into address_hits (minute, high, low, hits) values (?, ?, ?, ?)
     on conflict (minute, high, low) do update set hits = max(hits, excluded.hits)`,
  )
  const sweep = database.prepare(
    `delete from address_hits where rowid in
       (select rowid from address_hits where minute < ? order by minute limit ${SWEEP_ROWS})`,
  )
  const select = database.prepare('select high, low, hits from address_hits where minute = ?')
  const noted = new Map<string, AddressCount>()

  return {
    note(count: AddressCount): void {
      noted.set(`${count.minuteStart} ${count.high} ${count.low}`, count)
    },
    /** Inside the caller's transaction. What is noted stays until `committed`. */
    write(): void {
      let newest = 0
      for (const { minuteStart, high, low, hits } of noted.values()) {
        upsert.run(minuteStart, high, low, hits)
        newest = Math.max(newest, minuteStart)
      }
      if (newest > 0) sweep.run(newest)
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
