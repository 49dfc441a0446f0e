import { ROUTES } from '@stakewright/contract/routes'
import { type AuditEntry, newAuditEntry } from '#api/audit-entry.ts'
import type { Clock } from '#ports/clock.ts'
import type { Fault } from '../../fault.ts'
import { isMessage } from '../json-rpc-error.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Hooks } from '../wire/hooks.ts'
import type { RequestHead } from './request-head.ts'

/** Refuses a request before routing, or lets it pass. Malformed bytes count for their address as well. */
export type Guard = Required<Pick<Hooks, 'onRequest' | 'onMalformed'>> & {
  /** Counts each further message of a JSON-RPC batch like a request. */
  readonly onMessage: (client: string, head: RequestHead) => ReturnType<CountRequest>
  /** Counts a message by which a key revokes itself, like the request that does so over REST. */
  readonly onLastResort: (client: string, head: RequestHead) => ReturnType<CountRequest>
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
      const entry = newAuditEntry(now)
      exchange.locals = entry
      const refusal = count(budgetOf(exchange, path), now, exchange.request)
      if (!isShortMessage(exchange.request)) return refusal
      const deferToMessage = (fault: Fault | undefined) => leaveToMessage(entry, fault)
      return refusal instanceof Promise ? refusal.then(deferToMessage) : deferToMessage(refusal)
    },
    onMalformed: (client) => count(client, clock.now()),
    onMessage: (client, head) => count(client, clock.now(), head),
    onLastResort: (client, head) => count(lastResortOf(client), clock.now(), head),
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

/**
 * Messages up to this length are read although their address has used up its limit, so that the refusal can name
 * their id.
 */
const SHORT_BYTES = 16_384

const isShortMessage = (request: Exchange['request']): boolean =>
  isMessage(request) && Number(request.headers['content-length']) <= SHORT_BYTES

/**
 * MCP clients show a model the JSON-RPC answer to its message, but not the body of an HTTP error. So the refusal is
 * left to the handler of the message.
 */
function leaveToMessage(entry: AuditEntry, refusal: Fault | undefined): Fault | undefined {
  if (refusal?.code !== 'rate_limited') return refusal
  entry.refusal = refusal
  return undefined
}
