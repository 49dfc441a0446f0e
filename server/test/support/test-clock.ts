import type { Clock } from '#ports/clock.ts'

/** A clock that moves only when the test says so. */
export type TestClock = Clock & { set(now: number): void; advance(ms: number): void }

export function testClock(start = Date.UTC(2026, 5, 15, 12, 0, 0)): TestClock {
  let now = start
  return {
    now: () => now,
    set(moment) {
      now = moment
    },
    advance(ms) {
      now += ms
    },
  }
}
