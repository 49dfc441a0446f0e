import { performance } from 'node:perf_hooks'
import type { Clock } from '#ports/clock.ts'

/** If a store time is further behind than this, the store's clock was set back: latency cannot explain it. */
const LATE_MS = 1_000

type Needs = {
  /** Used until the store's time is known. */
  readonly own: Clock
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}

/**
 * The store's clock, extrapolated by this machine's monotonic time, so that this machine's wall clock may be wrong.
 * Latency makes a reading too early, never too late: a later time is adopted at once, an earlier one only if latency
 * cannot explain it.
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
