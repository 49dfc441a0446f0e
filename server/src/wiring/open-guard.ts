import { hash } from 'node:crypto'
import { judgeLoad } from '#domain/limits/judge-load.ts'
import { breaker } from '#domain/limits/shed-load.ts'
import { throttleAddresses } from '#domain/limits/throttle-addresses.ts'
import { countAcrossInstances } from '#http/guard/count-across-instances.ts'
import { countInProcess } from '#http/guard/count-in-process.ts'
import { type CountRequest, type Guard, guardRequests } from '#http/guard/guard.ts'
import type { BreakerRules } from '#http/guard/open-breaker.ts'
import type { Clock } from '#ports/clock.ts'
import type { Admission } from '#ports/stores/admission.ts'
import type { TrafficCounters } from '#ports/stores/traffic-counters.ts'
import type { Config } from '../config.ts'
import { MINUTE_MS } from '../durations.ts'

type Needs = BreakerRules & {
  readonly admission: Admission
  /** Undefined: this process is the only one, and counts by itself. */
  readonly traffic: TrafficCounters | undefined
  readonly clock: Clock
  /** Paths that count for nothing. */
  readonly isExempt: (path: string) => boolean
  readonly seed: number
}

/** The limits that need no credential, counted by this process alone or by all instances together. */
export async function openGuard(limits: Config['limits'], needs: Needs): Promise<Guard> {
  const { clock, isExempt } = needs
  return guardRequests({ count: await openCount(limits, needs), clock, isExempt })
}

async function openCount(limits: Config['limits'], needs: Needs): Promise<CountRequest> {
  const { admission, traffic, clock, seed } = needs
  const perMinute = limits.ipPerMinute
  if (traffic) {
    const judge = judgeLoad({ perMinute: limits.globalPerMinute })
    return countAcrossInstances({ ...needs, traffic, judge, perMinute })
  }
  const throttle = throttleAddresses({ perMinute, seed })
  // Goes on from what it had counted before a restart.
  for (const count of await admission.addressCounts(minuteOf(clock.now()))) throttle.restore(count)
  return countInProcess({
    ...needs,
    throttle,
    perMinute,
    breaker: breaker({ perMinute: limits.globalPerMinute }),
  })
}

const minuteOf = (now: number) => now - (now % MINUTE_MS)

/** Stable over restarts, so that kept counts still mean the same addresses, and unknown to strangers. */
export const seedOf = (pepper: string) =>
  Number.parseInt(hash('sha256', `address seed ${pepper}`, 'hex').slice(0, 8), 16)
