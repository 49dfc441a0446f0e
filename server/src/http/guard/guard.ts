import { ROUTES } from '@stakewright/contract/routes'
import { type AuditEntry, newAuditEntry } from '#api/audit-entry.ts'
import type { Clock } from '#ports/clock.ts'
import type { Fault } from '../../fault.ts'
import { isMessage } from '../json-rpc-error.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Hooks } from '../wire/hooks.ts'
import type { AskedBy } from './asked-by.ts'

/** Refuses a request before its route is known, or lets it pass; what is no request counts as well. */
export type Guard = Required<Pick<Hooks, 'onRequest' | 'onMalformed'>> & {
  /** Counts one more message of a request, like a request of its own. */
  readonly onMessage: (client: string, asked: AskedBy) => ReturnType<CountRequest>
}

/** Counts one request for its client. A Fault refuses it. Bytes that never became a request ask for nothing. */
export type CountRequest = (
  client: string,
  now: number,
  asked?: AskedBy,
) => Fault | undefined | Promise<Fault | undefined>

type Needs = {
  readonly count: CountRequest
  readonly clock: Clock
  /** Probes, documentation and pages are neither counted nor refused. */
  readonly isExempt: (path: string) => boolean
}

/**
 * The limits that need no credential: requests per address, and in all. Each request gets its audit entry here, so that
 * one that ends without having been admitted is in the audit log, too.
 */
export function guardRequests({ count, clock, isExempt }: Needs): Guard {
  return {
    onRequest(exchange, path) {
      if (isExempt(path)) return undefined
      const now = clock.now()
      const entry = newAuditEntry(now)
      exchange.locals = entry
      const refusal = count(budgetOf(exchange, path), now, exchange.request)
      if (!isShortMessage(exchange.request)) return refusal
      const tellLater = (fault: Fault | undefined) => leaveToMessage(entry, fault)
      return refusal instanceof Promise ? refusal.then(tellLater) : tellLater(refusal)
    },
    onMalformed: (client) => count(client, clock.now()),
    onMessage: (client, asked) => count(client, clock.now(), asked),
  }
}

/**
 * What a request counts for: its address. A key that ends itself counts apart, so that nobody who shares the address
 * can keep it alive.
 */
const budgetOf = ({ client, request }: Exchange, path: string): string =>
  request.method === LAST_RESORT.method && path === LAST_RESORT.path ? `${client} ${path}` : client

const LAST_RESORT = ROUTES.revokeSelf

/** Longer messages of an address that has used up its limit are not worth reading. */
const SHORT_BYTES = 16_384

const isShortMessage = (request: Exchange['request']): boolean =>
  isMessage(request) && Number(request.headers['content-length']) <= SHORT_BYTES

/** Clients of MCP show a model what answers its message, and of a refusal by HTTP alone no more than that it failed. */
function leaveToMessage(entry: AuditEntry, refusal: Fault | undefined): Fault | undefined {
  if (refusal?.code !== 'rate_limited') return refusal
  entry.refusal = refusal
  return undefined
}
