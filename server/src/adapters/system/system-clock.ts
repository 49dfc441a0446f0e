import type { Clock } from '#ports/clock.ts'

/**
 * The wall clock, read once in a turn of the event loop: dozens of requests may come in one, and each wants to know the
 * time again and again. A turn that takes long is late by as much, never by more.
 */
function turnClock(): Clock {
  let known: number | undefined
  const forget = () => {
    known = undefined
  }
  return {
    now() {
      if (known === undefined) {
        known = Date.now()
        setImmediate(forget)
      }
      return known
    },
  }
}

export const systemClock: Clock = turnClock()
