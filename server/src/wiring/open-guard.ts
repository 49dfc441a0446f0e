import { hash } from 'node:crypto'
import { judgeLoad } from '#domain/limits/judge-load.ts'
import type { ReservedShare } from '#domain/limits/reserved-share.ts'
import { breaker } from '#domain/limits/shed-load.ts'
import { throttleAddresses } from '#domain/limits/throttle-addresses.ts'
import { clusterGuard } from '#http/guard/cluster-guard.ts'
import { type CredentialIn, type Guard, guardRequests } from '#http/guard/guard.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Admission } from '#ports/stores/admission.ts'
import type { TrafficCounters } from '#ports/stores/traffic-counters.ts'
import type { Config } from '../config.ts'

type Needs = {
  readonly admission: Admission
  /** Undefined: this process is the only one, and counts by itself. */
  readonly traffic: TrafficCounters | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** Paths that count for nothing. */
  readonly isExempt: (path: string) => boolean
  readonly share: ReservedShare
  readonly credentialIn: CredentialIn
  readonly seed: number
}

/** The limits that need no credential, counted by this process alone or by all instances together. */
export async function openGuard(limits: Config['limits'], needs: Needs): Promise<Guard> {
  const { admission, traffic, clock, seed, ...rest } = needs
  if (traffic) {
    const judge = judgeLoad({ perMinute: limits.globalPerMinute })
    return clusterGuard({ ...rest, clock, traffic, judge, perMinute: limits.ipPerMinute, seed })
  }
  const throttle = throttleAddresses({ perMinute: limits.ipPerMinute, seed })
  // Goes on from what it had counted before a restart.
  for (const count of await admission.addressCounts(minuteOf(clock.now()))) throttle.restore(count)
  const total = breaker({ perMinute: limits.globalPerMinute })
  return guardRequests({ ...rest, admission, clock, throttle, breaker: total })
}

const minuteOf = (now: number) => now - (now % 60_000)

/** Stable over restarts, so that kept counts still mean the same addresses, and unknown to strangers. */
export const seedOf = (pepper: string) =>
  Number.parseInt(hash('sha256', `address seed ${pepper}`, 'hex').slice(0, 8), 16)
