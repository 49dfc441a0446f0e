import { steadyTime } from './steady-time.ts'

const WINDOW_MS = 60_000
const STEP_MS = 100
const STEPS = WINDOW_MS / STEP_MS

/** Counts events in the trailing minute, with a resolution of 100 ms (ring buffer). */
type TrailingMinute = {
  /** Counts an event and returns the new count. */
  add(now: number): number
  count(now: number): number
}

export function trailingMinute(): TrailingMinute {
  const steps = new Uint32Array(STEPS)
  const steady = steadyTime()
  let newest = 0
  let total = 0

  function moveTo(clockTime: number): void {
    const step = Math.floor(steady(clockTime) / STEP_MS)
    if (step <= newest) return
    const passed = Math.min(step - newest, STEPS)
    for (let back = 0; back < passed; back += 1) {
      const slot = (step - back) % STEPS
      total -= steps[slot] ?? 0
      steps[slot] = 0
    }
    newest = step
  }

  return {
    add(now) {
      moveTo(now)
      steps[newest % STEPS] = (steps[newest % STEPS] ?? 0) + 1
      total += 1
      return total
    },
    count(now) {
      moveTo(now)
      return total
    },
  }
}
