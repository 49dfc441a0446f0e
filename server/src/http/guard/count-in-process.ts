import type { Breaker } from '#domain/limits/shed-load.ts'
import type { AddressThrottle } from '#domain/limits/throttle-addresses.ts'
import { secondsUntil } from '#domain/limits/window.ts'
import type { Admission } from '#ports/stores/admission.ts'
import type { RequestCounter } from './guard.ts'
import { type BreakerRules, logChange, refuseWhenOpen } from './open-breaker.ts'
import { tooManyFromHere } from './refusals.ts'
import { counterOf } from './sender.ts'

type Needs = BreakerRules & {
  readonly throttle: AddressThrottle
  /** The throttle's limit. */
  readonly perMinute: number
  readonly breaker: Breaker
  readonly admission: Admission
}

/** Counts requests in this process, for a service that runs as one process. */
export function countInProcess({ throttle, breaker, admission, perMinute, ...rules }: Needs): RequestCounter {
  return {
    count(sender, now) {
      const { isLimited, count, retryAt } = throttle.hit(counterOf(sender), now)
      if (isLimited) return tooManyFromHere(sender.budget, perMinute, secondsUntil(retryAt, now))
      const state = breaker.hit(now)
      const refusal = refuseWhenOpen(rules, state, now, sender)
      // Last, so that a refused request costs no write.
      if (!refusal) admission.noteAddress(count)
      return refusal
    },
    judge: async (now) => logChange(rules.logger, breaker.look(now)),
  }
}
