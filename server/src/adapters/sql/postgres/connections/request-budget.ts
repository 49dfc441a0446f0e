import type { Patience } from './session.ts'

/** A step gets this much more than the server usually takes, however long the steps before it took. */
const SPARE_MS = 150
/** A link may become slower, and is judged by its last minute or two. */
const JUDGED_BY_MS = 60_000

/**
 * A request is answered or refused within about a second, whatever it asks of the store and however often: each of its
 * steps may take what the ones before it have left. A step on a slow link still gets its round trips.
 */
export function openRequestBudget(
  { connectMs, statementMs }: Patience,
  requestAgeMs: () => number,
  now: () => number = () => performance.now(),
) {
  let quickest: number | undefined
  let before: number | undefined
  let judgedSince = now()

  return {
    /** How long a step of so many round trips may take, if it may take `most`. */
    leftMs(most: number, roundTrips: number): number {
      const usual = Math.min(quickest ?? Number.POSITIVE_INFINITY, before ?? Number.POSITIVE_INFINITY)
      const left = Math.max(connectMs + statementMs - requestAgeMs(), SPARE_MS + 2 * roundTrips * usual)
      return Math.ceil(Math.min(most, left))
    },
    /** Tells how long a statement took. */
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
