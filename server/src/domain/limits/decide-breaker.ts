import { steadyTime } from './steady-time.ts'

/** Overload ends when traffic has stayed below this share of the limit for this long. */
const CALM_SHARE = 0.9
const CALM_MS = 5_000

export type BreakerDecision = { readonly isOpen: boolean; readonly changed: boolean }

/**
 * Decides from the requests of the trailing minute whether the breaker is open. Hysteresis keeps it from flapping.
 */
export function decideBreaker({ perMinute }: { readonly perMinute: number }) {
  let isOpen = false
  let calmSince: number | undefined
  // A clock that steps back must not keep the breaker open until it has caught up.
  const steady = steadyTime()

  function decide(total: number, now: number): boolean {
    if (!isOpen) return total > perMinute
    if (total >= perMinute * CALM_SHARE) calmSince = undefined
    else calmSince ??= now
    return calmSince === undefined || now - calmSince < CALM_MS
  }

  return (total: number, now: number): BreakerDecision => {
    const before = isOpen
    isOpen = decide(total, steady(now))
    if (!isOpen) calmSince = undefined
    return { isOpen, changed: isOpen !== before }
  }
}
