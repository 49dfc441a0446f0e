import { ROUTES } from '@stakewright/contract/routes'
import { newAuditEntry } from '#api/audit-entry.ts'
import type { ReservedShare } from '#domain/limits/reserved-share.ts'
import type { Breaker } from '#domain/limits/shed-load.ts'
import type { AddressThrottle } from '#domain/limits/throttle-addresses.ts'
import { secondsUntil } from '#domain/limits/window.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Admission } from '#ports/stores/admission.ts'
import { Fault } from '../../fault.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Hooks } from '../wire/hooks.ts'

/** Refuses a request before its route is known, or lets it pass; what is no request counts as well. */
export type Guard = Required<Pick<Hooks, 'onRequest' | 'onMalformed'>>

type Needs = {
  readonly throttle: AddressThrottle
  readonly breaker: Breaker
  readonly share: ReservedShare
  readonly credentialIn: CredentialIn
  readonly admission: Admission
  readonly clock: Clock
  readonly logger: Logger
  /** Probes, documentation and pages are neither counted nor refused. */
  readonly isExempt: (path: string) => boolean
}

/** The `Retry-After` of the breaker. */
const OVERLOAD_WAIT_SECONDS = 5

/**
 * The limits that need no credential: requests per address, and in all. Each request gets its audit entry here, so that
 * one that ends without having been admitted is in the audit log, too.
 */
export function guardRequests(needs: Needs): Guard {
  const { throttle, breaker, share, credentialIn, admission, clock, logger, isExempt } = needs
  const count = (client: string, now: number, exchange?: Exchange): Fault | undefined => {
    const { isLimited, count: counted, retryAt } = throttle.hit(client, now)
    if (isLimited) return tooManyFromHere(secondsUntil(retryAt, now))
    const { isOpen, changed } = breaker.hit(now)
    share.seen(now)
    if (changed) logger.warn(isOpen ? 'breaker opened' : 'breaker closed')
    if (isOpen && !hasShare(exchange, { share, credentialIn }, now)) return overloaded()
    // Last, so that a refused request costs no write.
    admission.noteAddress(counted)
    return undefined
  }

  return {
    onRequest(exchange, path) {
      if (isExempt(path)) return undefined
      const now = clock.now()
      exchange.locals = newAuditEntry(now)
      return count(budgetOf(exchange, path), now, exchange)
    },
    onMalformed: (client) => count(client, clock.now()),
  }
}

/**
 * What a request counts for: its address. A key that ends itself counts apart, so that nobody who shares the address
 * can keep it alive.
 */
export const budgetOf = ({ client, request }: Exchange, path: string): string =>
  request.method === LAST_RESORT.method && path === LAST_RESORT.path ? `${client} ${path}` : client

const LAST_RESORT = ROUTES.revokeSelf

/** The text that a request brings as its key or token, if it has the form of one. */
export type CredentialIn = (headers: Exchange['request']['headers']) => string | undefined

type Sharing = { readonly share: ReservedShare; readonly credentialIn: CredentialIn }

/** Whether a request goes on to be authenticated although the breaker is open. */
export function hasShare(exchange: Exchange | undefined, { share, credentialIn }: Sharing, now: number) {
  const credential = exchange && credentialIn(exchange.request.headers)
  return credential !== undefined && share.passes(credential, now)
}

export const tooManyFromHere = (seconds: number) =>
  new Fault('rate_limited', `Too many requests from this address. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  })

export const overloaded = () =>
  new Fault('service_overloaded', 'The service is over its total limit. Try again in a few seconds.', {
    retryAfterSeconds: OVERLOAD_WAIT_SECONDS,
  })
