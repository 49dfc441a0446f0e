import { performance } from 'node:perf_hooks'
import type { Clock } from '#ports/clock.ts'

/** Further behind than an answer of the store can have been under way: its clock has been put back. */
const LATE_MS = 1_000

type Needs = {
  /** What is believed before the store was heard. */
  readonly own: Clock
  /** Milliseconds since some moment; it neither steps nor stops. */
  readonly elapsed?: () => number
}

/**
 * The clock of the store, carried on by the time that has passed here since it was heard: the machine's own clock may
 * be wrong or step, and nothing follows from it. What the store said can only be old, never early: so a later time is
 * believed at once, and an earlier one only if it cannot be explained by its way here.
 */
export function followingClock({ own, elapsed = () => performance.now() }: Needs): Clock {
  let offset: number | undefined
  return {
    now: () => (offset === undefined ? own.now() : Math.floor(elapsed() + offset)),
    follow(storeNow) {
      const heard = storeNow - elapsed()
      if (offset === undefined || heard > offset || heard < offset - LATE_MS) offset = heard
      return storeNow
    },
  }
}
