import type { Clock } from '#ports/clock.ts'

/** A clock that moves only when told. */
export function setClock(start = Date.parse('2026-01-31T12:00:00Z')): Clock & { advance(ms: number): void } {
  let now = start
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
  }
}
