import { ROUTES } from '@stakewright/contract/routes'
import { newAuditEntry } from '#api/audit-entry.ts'
import type { Clock } from '#ports/clock.ts'
import type { Fault } from '../../fault.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Hooks } from '../wire/hooks.ts'
import type { RequestHead } from './request-head.ts'

/** Limits requests before routing. Malformed bytes count for their address, too. */
export type Guard = Required<Pick<Hooks, 'onRequest' | 'onMalformed'>> & {
  /** Counts a further message of a request, such as one of a batch, like a separate request. */
  readonly countMore: (client: string, head: RequestHead) => ReturnType<CountRequest>
  /** Counts a request by which a key revokes itself, if that is not visible from its path, as in MCP. */
  readonly countLastResort: (client: string, head: RequestHead) => ReturnType<CountRequest>
  /** Closes an open breaker once traffic has calmed down, whether or not requests come. */
  readonly updateBreaker: () => Promise<void>
}

/**
 * Counts one request for its client; a Fault refuses it. `head` is undefined for bytes that could not be parsed as a
 * request.
 */
type CountRequest = (
  client: string,
  now: number,
  head?: RequestHead,
) => Fault | undefined | Promise<Fault | undefined>

export type RequestCounter = {
  readonly count: CountRequest
  /** Judges the load without a request, so that an open breaker closes even if no requests arrive. */
  judge(now: number): Promise<void>
}

type Needs = RequestCounter & {
  readonly clock: Clock
  /** Probes, documentation and pages are neither counted nor refused. */
  readonly isExempt: (path: string) => boolean
}

/**
 * The limits before authentication: requests per address, and in total. Creates the audit entry of each request, so
 * that requests that are never admitted are in the audit log, too.
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
    updateBreaker: () => judge(clock.now()),
  }
}

/**
 * The address that a request counts for. Requests by which a key revokes itself are counted separately, so that other
 * clients behind the same address cannot block them.
 */
const budgetOf = ({ client, request }: Exchange, path: string): string =>
  request.method === LAST_RESORT.method && path === LAST_RESORT.path ? lastResortOf(client) : client

const LAST_RESORT = ROUTES.revokeSelf
const lastResortOf = (client: string): string => `${client} ${LAST_RESORT.path}`
