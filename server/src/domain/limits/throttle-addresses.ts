import type { AddressCount } from '#ports/stores/admission.ts'
import { CLOCK_STEP_MS, MINUTE_MS } from '../../durations.ts'
import { hashKey, hitTable } from './hit-table.ts'

export type AddressHit = {
  readonly isLimited: boolean
  /** Of this minute, this request included. */
  readonly count: AddressCount
  /** When the minute is over. */
  readonly retryAt: number
}

export type AddressThrottle = {
  /** Counts one request of an address. A clock that steps back a little stays in the newest minute it has seen. */
  hit(key: string, now: number): AddressHit
  /** Takes over what was counted before a restart. */
  restore(count: AddressCount): void
}

/** So many requests per UTC minute and address, whoever sends them. */
export function throttleAddresses({
  perMinute,
  seed,
}: {
  readonly perMinute: number
  readonly seed: number
}) {
  let minuteStart = 0
  let table = hitTable()

  function enter(minute: number): void {
    const ahead = minuteStart - minute
    if (ahead >= 0 && ahead <= CLOCK_STEP_MS) return
    minuteStart = minute
    table = hitTable()
  }

  const throttle: AddressThrottle = {
    hit(key, now) {
      enter(now - (now % MINUTE_MS))
      const hash = hashKey(key, seed)
      const hits = table.add(hash, 1)
      const count = { minuteStart, low: hash.low, high: hash.high, hits }
      return { isLimited: hits > perMinute, count, retryAt: minuteStart + MINUTE_MS }
    },
    restore(count) {
      enter(count.minuteStart)
      if (count.minuteStart === minuteStart) table.add(count, count.hits)
    },
  }
  return throttle
}
