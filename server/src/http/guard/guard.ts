import { ROUTES } from '@stakewright/contract/routes'
import { newAuditEntry } from '#api/audit-entry.ts'
import type { Clock } from '#ports/clock.ts'
import type { Fault } from '../../fault.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Hooks } from '../wire/hooks.ts'
import type { RequestHead } from './request-head.ts'

/** Refuses a request before routing, or lets it pass. Malformed bytes count for their address as well. */
export type Guard = Required<Pick<Hooks, 'onRequest' | 'onMalformed'>> & {
  /** Counts what a request brings along, like a request of its own. */
  readonly countMore: (client: string, head: RequestHead) => ReturnType<CountRequest>
  /** Counts a request by which a key revokes itself, where its path does not say that it does. */
  readonly countLastResort: (client: string, head: RequestHead) => ReturnType<CountRequest>
  /** Closes an open breaker once traffic has calmed down, whether or not requests come. */
  readonly judgeLoad: () => Promise<void>
}

/**
 * Counts one request for its client; a Fault refuses it. `head` is undefined for bytes that never became a
 * request.
 */
type CountRequest = (
  client: string,
  now: number,
  head?: RequestHead,
) => Fault | undefined | Promise<Fault | undefined>

export type RequestCounter = {
  readonly count: CountRequest
  /** Judges the load without a request, so that an open breaker closes when nobody comes any more. */
  judge(now: number): Promise<void>
}

type Needs = RequestCounter & {
  readonly clock: Clock
  /** Probes, documentation and pages are neither counted nor refused. */
  readonly isExempt: (path: string) => boolean
}

/**
 * The limits that need no credential: requests per address, and in all. Each request gets its audit entry here, so that
 * one that ends without having been admitted is in the audit log, too.
 */
export function guardRequests({ count, judge, clock, isExempt }: Needs): Guard {
  return {
    onRequest(exchange, path) {
      if (isExempt(path)) return undefined
      const now = clock.now()
      exchange.locals = newAuditEntry(now)
      return count(budgetOf(exchange, path), now, exchange.request)
    },
    onMalformed: (client) => count(client, clock.now()),
    countMore: (client, head) => count(client, clock.now(), head),
    countLastResort: (client, head) => count(lastResortOf(client), clock.now(), head),
    judgeLoad: () => judge(clock.now()),
  }
}

/**
 * The address that a request counts for. A key that revokes itself counts apart, so that others behind the same
 * address cannot prevent it.
 */
const budgetOf = ({ client, request }: Exchange, path: string): string =>
  request.method === LAST_RESORT.method && path === LAST_RESORT.path ? lastResortOf(client) : client

const LAST_RESORT = ROUTES.revokeSelf
const lastResortOf = (client: string): string => `${client} ${LAST_RESORT.path}`
