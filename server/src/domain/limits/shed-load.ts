import { steadyTime } from './steady-time.ts'

const WINDOW_MS = 60_000
const STEP_MS = 100
const STEPS = WINDOW_MS / STEP_MS
/** It closes again when traffic has stayed below this share of the limit for this long. */
const CALM_SHARE = 0.9
const CALM_MS = 5_000

export type Breaker = {
  /** Counts one request, refused or not, and says whether it must be refused. */
  hit(now: number): { readonly isOpen: boolean; readonly changed: boolean }
}

/**
 * The last line against overload: above so many requests in the trailing minute everybody is refused, until traffic
 * has calmed down. Refused requests count, or it would flap; requests refused by the address throttle do not get
 * here, or one address could shut everybody out.
 */
export function breaker({ perMinute }: { readonly perMinute: number }): Breaker {
  const steps = new Uint32Array(STEPS)
  const steady = steadyTime()
  let newest = 0
  let total = 0
  let isOpen = false
  let calmSince: number | undefined

  function moveTo(step: number): void {
    if (step <= newest) return
    const passed = Math.min(step - newest, STEPS)
    for (let back = 0; back < passed; back += 1) {
      const slot = (step - back) % STEPS
      total -= steps[slot] ?? 0
      steps[slot] = 0
    }
    newest = step
  }

  function decide(now: number): boolean {
    if (!isOpen) return total > perMinute
    if (total >= perMinute * CALM_SHARE) calmSince = undefined
    else calmSince ??= now
    return calmSince === undefined || now - calmSince < CALM_MS
  }

  return {
    hit(clockTime) {
      const now = steady(clockTime)
      moveTo(Math.floor(now / STEP_MS))
      steps[newest % STEPS] = (steps[newest % STEPS] ?? 0) + 1
      total += 1
      const before = isOpen
      isOpen = decide(now)
      if (!isOpen) calmSince = undefined
      return { isOpen, changed: isOpen !== before }
    },
  }
}
