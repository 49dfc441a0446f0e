import type { Clock } from '#ports/clock.ts'
import type { WriteProbe } from '#ports/stores/write-probe.ts'
import type { Database } from '../schema.ts'

/** The shortest interval between writes, however often the probe is called. */
const EVERY_MS = 1_000

/** Commits a write that changes nothing: only a write reveals a full disk or a read-only standby. */
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
