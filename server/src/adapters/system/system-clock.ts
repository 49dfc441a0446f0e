import type { Clock } from '#ports/clock.ts'

/** The wall clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() }
