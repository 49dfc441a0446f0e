import { type BreakerDecision, decideBreaker } from './decide-breaker.ts'
import { trailingMinute } from './trailing-minute.ts'

export type Breaker = {
  /** Counts one request, refused or not, and judges whether it must be refused. */
  hit(now: number): BreakerDecision
  /** Judges without a request, because after a flood there may be no further request for a long time. */
  look(now: number): BreakerDecision
}

/**
 * Opens the breaker above the limit per trailing minute: everybody without a reserved share is refused until traffic
 * has calmed down. Refused requests count, or the breaker would flap. Requests refused by the address throttle do
 * not, or a single address could open it.
 */
export function breaker({ perMinute }: { readonly perMinute: number }): Breaker {
  const requests = trailingMinute()
  const judge = decideBreaker({ perMinute })
  return {
    hit: (now) => judge(requests.add(now), now),
    look: (now) => judge(requests.count(now), now),
  }
}
