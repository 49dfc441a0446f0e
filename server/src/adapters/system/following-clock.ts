import type { Clock } from '#ports/clock.ts'

/** Further behind than an answer of the store can have been under way: its clock has been put back. */
const LATE_MS = 1_000

/**
 * The clock of a machine, put right by what the store says. News of the store can only be old, never early: so a
 * later time is believed at once, and an earlier one only if it cannot be explained by its way here.
 */
export function followingClock(own: Clock): Clock {
  let offset: number | undefined
  return {
    now: () => own.now() + (offset ?? 0),
    follow(storeNow) {
      const heard = storeNow - own.now()
      if (offset === undefined || heard > offset || heard < offset - LATE_MS) offset = heard
      return storeNow
    },
  }
}
