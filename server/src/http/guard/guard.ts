import type { AddressBudget } from '@stakewright/contract'
import { newAuditEntry } from '#api/audit-entry.ts'
import type { Clock } from '#ports/clock.ts'
import type { Fault } from '../../fault.ts'
import type { Hooks } from '../wire/hooks.ts'
import { budgetOfRequest } from './budget-of-request.ts'
import type { RequestHead } from './request-head.ts'
import type { Sender } from './sender.ts'

/** Limits requests before routing. Malformed bytes count for their address, too. */
export type Guard = Required<Pick<Hooks, 'onRequest' | 'onMalformed'>> & {
  /**
   * Counts a further message of a request, such as one of a batch, like a separate request. `budget` is that of the
   * endpoint that the message calls, which is not visible from the path.
   */
  readonly countMore: (client: string, head: RequestHead, budget?: AddressBudget) => Counted
  /** Closes an open breaker once traffic has calmed down, whether or not requests come. */
  readonly updateBreaker: () => Promise<void>
}

type Counted = Fault | undefined | Promise<Fault | undefined>

export type RequestCounter = {
  /** Counts one request; a Fault refuses it. */
  count(sender: Sender, now: number): Counted
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
      const { client, request } = exchange
      return count({ client, budget: budgetOfRequest(request), head: request }, now)
    },
    onMalformed: (client) => count({ client }, clock.now()),
    countMore: (client, head, budget) => count({ client, budget, head }, clock.now()),
    updateBreaker: () => judge(clock.now()),
  }
}
