import { judgeLoad, type LoadJudgement } from './judge-load.ts'
import { steadyTime } from './steady-time.ts'

const WINDOW_MS = 60_000
const STEP_MS = 100
const STEPS = WINDOW_MS / STEP_MS

export type Breaker = {
  /** Counts one request, refused or not, and says whether it must be refused. */
  hit(now: number): LoadJudgement
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
  const judge = judgeLoad({ perMinute })

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

  return {
    hit(clockTime) {
      const now = steady(clockTime)
      moveTo(Math.floor(now / STEP_MS))
      steps[newest % STEPS] = (steps[newest % STEPS] ?? 0) + 1
      total += 1
      return judge(total, now)
    },
  }
}
