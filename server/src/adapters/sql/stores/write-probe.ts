import type { Clock } from '#ports/clock.ts'
import type { Admission } from '#ports/stores/admission.ts'
import type { WriteProbe } from '#ports/stores/write-probe.ts'
import type { Database } from '../schema.ts'

/** The shortest interval between writes, however often the probe is called. */
const EVERY_MS = 1_000

type Needs = {
  readonly db: Database
  readonly clock: Clock
  readonly admission: Pick<Admission, 'failure'>
}

/**
 * Commits a write that changes nothing: only a write reveals a read-only standby. On an almost full disk this small
 * write may fit where a request's record does not, so a failure of the latest admission commit counts as well.
 */
export function sqlWriteProbe({ db, clock, admission }: Needs): WriteProbe {
  let latest: { readonly at: number; readonly outcome: Promise<void> } | undefined

  async function write(): Promise<void> {
    await db
      .updateTable('seals')
      .set((row) => ({ value: row.ref('value') }))
      .execute()
  }

  return {
    async check() {
      const failure = admission.failure()
      if (failure) throw failure
      const now = clock.now()
      if (latest === undefined || now < latest.at || now >= latest.at + EVERY_MS)
        latest = { at: now, outcome: write() }
      await latest.outcome
    },
  }
}
