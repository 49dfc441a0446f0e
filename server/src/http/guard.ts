import { newAuditEntry } from '#api/audit-entry.ts'
import type { Breaker } from '#domain/limits/shed-load.ts'
import type { AddressThrottle } from '#domain/limits/throttle-addresses.ts'
import { secondsUntil } from '#domain/limits/window.ts'
import type { Admission } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../fault.ts'
import type { Exchange } from './exchange.ts'

/** Looks at a request before its route is known, and refuses it or lets it pass. */
export type Guard = (exchange: Exchange, path: string) => Fault | undefined

type Needs = {
  readonly throttle: AddressThrottle
  readonly breaker: Breaker
  readonly admission: Admission
  readonly clock: Clock
  readonly logger: Logger
  /** Probes, documentation and pages: they count for nothing. */
  readonly isExempt: (path: string) => boolean
}

/** How long the breaker asks callers to stay away. */
const OVERLOAD_WAIT_SECONDS = 5

/**
 * Limits that need no credential: so many requests per address, and so many in all. Whatever ends without having
 * been admitted is noted as a refusal, so that every request is in the audit log.
 */
export function guardTraffic({ throttle, breaker, admission, clock, logger, isExempt }: Needs): Guard {
  return (exchange, path) => {
    if (isExempt(path)) return undefined
    const { client } = exchange
    const now = clock.now()
    exchange.audit = newAuditEntry(now)
    const { isLimited, count, retryAt } = throttle.hit(client, now)
    if (isLimited) return tooManyFromHere(secondsUntil(retryAt, now))
    const { isOpen, changed } = breaker.hit(now)
    if (changed) logger.warn(isOpen ? 'breaker opened' : 'breaker closed')
    if (isOpen) return overloaded()
    // Only now: what is refused costs no write.
    admission.noteAddress(count)
    return undefined
  }
}

export const tooManyFromHere = (seconds: number) =>
  new Fault('rate_limited', `Too many requests from this address. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  })

export const overloaded = () =>
  new Fault('service_overloaded', 'The service is over its total limit. Try again in a few seconds.', {
    retryAfterSeconds: OVERLOAD_WAIT_SECONDS,
  })
