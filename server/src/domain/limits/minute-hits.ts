import { CLOCK_STEP_MS, MINUTE_MS } from '../../durations.ts'
import { hitTable, type KeyHash } from './hit-table.ts'

/**
 * Hits by key in one UTC minute. After a small step back of the clock, the newest minute seen stays the current
 * one.
 */
type MinuteHits = {
  /** Enters the minute of this time, drops the counts of an earlier one, and returns the start of the minute. */
  enter(now: number): number
  /** Adds to the key in the minute that was entered, and returns its total. */
  add(key: KeyHash, hits: number): number
  hits(key: KeyHash): number
}

export function minuteHits(): MinuteHits {
  let startedAt = 0
  let table = hitTable()
  return {
    enter(now) {
      const minute = now - (now % MINUTE_MS)
      const ahead = startedAt - minute
      if (ahead >= 0 && ahead <= CLOCK_STEP_MS) return startedAt
      startedAt = minute
      table = hitTable()
      return startedAt
    },
    add: (key, hits) => table.add(key, hits),
    hits: (key) => table.hits(key),
  }
}
