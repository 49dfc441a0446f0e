import type { Clock } from '#ports/clock.ts'
import type { WriteProbe } from '#ports/stores/write-probe.ts'
import type { Database } from '../schema.ts'

/** However often the probe is asked, the store is written to once in so long. */
const EVERY_MS = 1_000

/** Commits a write that changes nothing: a disk that is full or a standby that only reads is found by this alone. */
export function sqlWriteProbe(db: Database, clock: Clock): WriteProbe {
  let latest: { readonly at: number; readonly outcome: Promise<void> } | undefined

  async function write(): Promise<void> {
    await db
      .updateTable('seals')
      .set((row) => ({ value: row.ref('value') }))
      .execute()
  }

  return {
    check() {
      const now = clock.now()
      if (latest === undefined || now < latest.at || now >= latest.at + EVERY_MS)
        latest = { at: now, outcome: write() }
      return latest.outcome
    },
  }
}
