import { type HitTable, hitTable } from './hit-table.ts'

const MINUTE_MS = 60_000

export type AddressHit = {
  readonly isLimited: boolean
  readonly minuteStart: number
  /** Requests of the address in this minute, this one included. */
  readonly hits: number
  /** When the minute is over. */
  readonly retryAt: number
}

export type AddressThrottle = {
  /** Counts one request of an address. A clock that steps back stays in the newest minute it has seen. */
  hit(key: string, now: number): AddressHit
  /** Takes over what was counted before a restart. */
  restore(minuteStart: number, key: string, hits: number): void
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
  let table: HitTable = hitTable(seed)

  function enter(minute: number): void {
    if (minute <= minuteStart) return
    minuteStart = minute
    table = hitTable(seed)
  }

  const throttle: AddressThrottle = {
    hit(key, now) {
      enter(now - (now % MINUTE_MS))
      const hits = table.add(key, 1)
      return { isLimited: hits > perMinute, minuteStart, hits, retryAt: minuteStart + MINUTE_MS }
    },
    restore(minute, key, hits) {
      enter(minute)
      if (minute === minuteStart) table.add(key, hits)
    },
  }
  return throttle
}
