import type { AddressCount } from '#ports/stores/admission.ts'
import { MINUTE_MS } from '../../durations.ts'
import { hashKey } from './hit-table.ts'
import { minuteHits } from './minute-hits.ts'

type AddressHit = {
  readonly isLimited: boolean
  /** The count of this minute, this request included. */
  readonly count: AddressCount
  /** The end of the minute. */
  readonly retryAt: number
}

export type AddressThrottle = {
  /** Counts one request of an address. */
  hit(key: string, now: number): AddressHit
  /** Restores a count from before a restart. */
  restore(count: AddressCount): void
}

/** Limits the requests of each address per UTC minute. */
export function throttleAddresses({
  perMinute,
  seed,
}: {
  readonly perMinute: number
  readonly seed: number
}) {
  const ofMinute = minuteHits()

  const throttle: AddressThrottle = {
    hit(key, now) {
      const minuteStart = ofMinute.enter(now)
      const hash = hashKey(key, seed)
      const hits = ofMinute.add(hash, 1)
      const count = { minuteStart, low: hash.low, high: hash.high, hits }
      return { isLimited: hits > perMinute, count, retryAt: minuteStart + MINUTE_MS }
    },
    restore(count) {
      if (ofMinute.enter(count.minuteStart) === count.minuteStart) ofMinute.add(count, count.hits)
    },
  }
  return throttle
}
