import { remaining } from '#domain/limits/window.ts'
import type { Quota } from '#ports/stores/admission.ts'
import type { Headers } from './wire/response.ts'

/** The rate-limit headers of an authenticated answer. */
export function rateLimitHeaders(quota: Quota): Headers {
  const left = remaining(quota)
  return {
    'x-ratelimit-limit-rpm': String(quota.limits.rpm),
    'x-ratelimit-limit-rpd': String(quota.limits.rpd),
    'x-ratelimit-remaining': String(Math.min(left.rpm, left.rpd)),
    'x-ratelimit-remaining-rpm': String(left.rpm),
    'x-ratelimit-remaining-rpd': String(left.rpd),
    'x-ratelimit-reset': String(quota.minuteEndsAt / 1000),
  }
}
