import { performance } from 'node:perf_hooks'
import { Fault } from '../../fault.ts'
import type { Exchange, FailExchange } from './exchange.ts'
import { isUploading } from './exchange.ts'

type Needs = {
  readonly inFlight: Iterable<Exchange>
  readonly fail: FailExchange
  readonly requestMs: number
  /** How long an overdue exchange may still take to deliver its refusal. */
  readonly cutMs: number
}

/**
 * Ends every exchange in time, whatever its client or its handler does: at `requestMs` it is answered, `cutMs` later
 * its connection is gone. Node's own timeouts end neither a handler that hangs nor a client that does not read.
 * One timer for all exchanges: a timer for each would cost more than most requests.
 *
 * Time in which the process stood still does not count: timers run first after it, so that a request would be refused
 * as too slow before bytes that have long arrived are read.
 */
export function enforceDeadlines({ inFlight, fail, requestMs, cutMs }: Needs): Disposable {
  const everyMs = sweepEvery(requestMs)
  let sweptAt = performance.now()
  const sweep = () => {
    const now = performance.now()
    const lateMs = now - sweptAt - everyMs
    sweptAt = now
    if (lateMs > requestMs * STALL_SHARE) excuse(now, lateMs)
    // A copy: an exchange that is cut may leave the list at once.
    for (const exchange of [...inFlight]) {
      const age = now - exchange.startedAt - exchange.stalledMs
      if (age < requestMs) continue
      if (!exchange.overdue) refuse(exchange)
      else if (age >= requestMs + cutMs) exchange.request.socket.destroy()
    }
  }

  const excuse = (now: number, lateMs: number) => {
    for (const exchange of inFlight) exchange.stalledMs += Math.min(lateMs, now - exchange.startedAt)
  }

  const refuse = (exchange: Exchange) => {
    exchange.overdue = true
    const fault = isUploading(exchange) ? uploadTooSlow(requestMs) : workTooSlow(requestMs)
    exchange.response.shouldKeepAlive = false
    exchange.cancel?.abort(fault)
    fail(exchange, fault)
  }

  const timer = setInterval(sweep, everyMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** A sweep that is later than this part of the limit was held up by more than a busy event loop. */
const STALL_SHARE = 0.1

/** Often enough that nobody waits more than a hundredth longer. */
const sweepEvery = (requestMs: number) => Math.max(5, Math.floor(requestMs / 100))

/** Aborts when the exchange is over its time or its client is gone: give it to everything that waits. */
export function deadlineOf(exchange: Exchange): AbortSignal {
  if (exchange.cancel === undefined) {
    exchange.cancel = new AbortController()
    if (exchange.overdue || exchange.response.destroyed) exchange.cancel.abort()
  }
  return exchange.cancel.signal
}

const inSeconds = (ms: number) => `${ms / 1_000} s`

export const uploadTooSlow = (requestMs: number) =>
  new Fault(
    'timeout',
    `The request did not arrive within ${inSeconds(requestMs)}. Send it again, in one go.`,
    {
      status: 408,
    },
  )

const workTooSlow = (requestMs: number) =>
  new Fault('timeout', `This took longer than the limit of ${inSeconds(requestMs)}.`, { outcome: 'unknown' })
