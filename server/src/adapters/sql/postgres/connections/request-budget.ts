import type { Timeouts } from './session.ts'

/** Every step gets at least this long in addition to twice the usual time of its round trips. */
const SPARE_MS = 150
/** The usual time is that of the quickest statement of this window and the one before: a slower link shows soon. */
const WINDOW_MS = 60_000

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
  let quickestBefore: number | undefined
  let windowSince = now()

  return {
    /** Timeout of a step with this many round trips, at most `most`. */
    leftMs(most: number, roundTrips: number): number {
      const usual = Math.min(quickest ?? Number.POSITIVE_INFINITY, quickestBefore ?? Number.POSITIVE_INFINITY)
      const left = Math.max(connectMs + statementMs - requestAgeMs(), SPARE_MS + 2 * roundTrips * usual)
      return Math.ceil(Math.min(most, left))
    },
    /** Records how long a statement took. */
    note(ms: number): void {
      const at = now()
      if (at - windowSince > WINDOW_MS) {
        quickestBefore = quickest
        quickest = undefined
        windowSince = at
      }
      quickest = Math.min(quickest ?? ms, ms)
    },
  }
}

export type RequestBudget = ReturnType<typeof openRequestBudget>
