import type { DatabaseSync } from 'node:sqlite'
import type { AddressCount } from '#ports/stores/admission.ts'
import { CLOCK_STEP_MS } from '../../../durations.ts'

/** Rows of other minutes deleted per commit: a flood of addresses must not stall one request. */
const SWEEP_ROWS = 500
/** Up to this many upserts cost no more than one row of the journal. */
const MAX_UPSERTS = 8
/** Most addresses held while the store cannot be written; missing counts matter only after a restart. */
const MAX_NOTED = 100_000

/**
 * Requests of each address in the current minute, stored so that limits survive a restart. A commit upserts a few
 * addresses one by one, and writes more of them together into one row of the journal.
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
  const selectRows = database.prepare('select high, low, hits from address_hits where minute = ?')
  selectRows.setReturnArrays(true)
  const selectBodies = database.prepare('select body from address_journal where minute = ?')
  // A new map for each commit: clearing one keeps its old tables in memory (docs/decisions/0007).
  let noted = highestCounts(MAX_NOTED)
  let minute = 0
  let mayHaveOld = true

  return {
    note(count: AddressCount): void {
      if (count.minuteStart !== minute) {
        noted = highestCounts(MAX_NOTED)
        mayHaveOld = true
      }
      minute = count.minuteStart
      noted.set(count)
    },
    isEmpty: () => noted.size() === 0,
    /** Writes inside the caller's transaction. Counts stay in memory until `committed`. */
    write(): void {
      if (noted.size() === 0) return
      if (noted.size() > MAX_UPSERTS) append.run(minute, toBody(noted.all()))
      else for (const { high, low, hits } of noted.all()) upsert.run(minute, high, low, hits)
      if (!mayHaveOld) return
      const swept = sweeps.map((sweep) => Number(sweep.run(minute, minute + CLOCK_STEP_MS).changes))
      mayHaveOld = swept.includes(SWEEP_ROWS)
    },
    committed(): void {
      noted = highestCounts(MAX_NOTED)
    },
    load(minuteStart: number): readonly AddressCount[] {
      const rows: readonly unknown[] = selectRows.all(minuteStart)
      const journaled = selectBodies.all(minuteStart).flatMap(({ body }) => readBody(body))
      const highest = highestCounts(Number.POSITIVE_INFINITY)
      for (const [high, low, hits] of [...rows, ...journaled].filter(isCount))
        highest.set({ minuteStart, high, low, hits })
      return highest.all()
    },
  }
}

const toBody = (counts: readonly AddressCount[]): string =>
  JSON.stringify(counts.map(({ high, low, hits }) => [high, low, hits]))

/** A damaged body has no counts. */
function readBody(body: unknown): readonly unknown[] {
  try {
    const counts: unknown = JSON.parse(String(body))
    return Array.isArray(counts) ? counts : []
  } catch {
    return []
  }
}

/** `[high, low, hits]`: both halves of the address's hash, and its requests. */
const isCount = (value: unknown): value is readonly [number, number, number] =>
  Array.isArray(value) && value.length === 3 && value.every(Number.isSafeInteger)

const higher = (known: AddressCount | undefined, count: AddressCount): AddressCount =>
  known && known.hits > count.hits ? known : count

/** Keeps the highest count of each address, keyed by half of its hash; after a collision, by both halves. */
function highestCounts(most: number) {
  const byLow = new Map<number, AddressCount>()
  const others = new Map<string, AddressCount>()
  return {
    set(count: AddressCount): void {
      const found = byLow.get(count.low)
      if (found === undefined) {
        if (byLow.size < most) byLow.set(count.low, count)
      } else if (found.high === count.high) byLow.set(count.low, higher(found, count))
      else {
        const key = `${count.high} ${count.low}`
        others.set(key, higher(others.get(key), count))
      }
    },
    size: () => byLow.size + others.size,
    all: (): readonly AddressCount[] => [...byLow.values(), ...others.values()],
  }
}
