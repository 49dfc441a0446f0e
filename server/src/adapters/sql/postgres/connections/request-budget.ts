import type { Timeouts } from './session.ts'

/** Every step gets at least this much more than its round trips usually take. */
const SPARE_MS = 150
/** The quickest statement of this window and the one before is the usual time: a slower link shows soon. */
const JUDGED_BY_MS = 60_000

/**
 * Bounds a request to about a second over all its statements: each step's timeout is what earlier steps have
 * left. On a slow link a step still gets the time of its round trips.
 */
export function openRequestBudget(
  { connectMs, statementMs }: Timeouts,
  requestAgeMs: () => number,
  now: () => number = () => performance.now(),
) {
  let quickest: number | undefined
  let before: number | undefined
  let judgedSince = now()

  return {
    /** Timeout of a step with this many round trips, at most `most`. */
    leftMs(most: number, roundTrips: number): number {
      const usual = Math.min(quickest ?? Number.POSITIVE_INFINITY, before ?? Number.POSITIVE_INFINITY)
      const left = Math.max(connectMs + statementMs - requestAgeMs(), SPARE_MS + 2 * roundTrips * usual)
      return Math.ceil(Math.min(most, left))
    },
    /** Records how long a statement took. */
    note(ms: number): void {
      const at = now()
      if (at - judgedSince > JUDGED_BY_MS) {
        before = quickest
        quickest = undefined
        judgedSince = at
      }
      quickest = Math.min(quickest ?? ms, ms)
    },
  }
}

export type RequestBudget = ReturnType<typeof openRequestBudget>
