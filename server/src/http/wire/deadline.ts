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
 * Ends every exchange in time: at `requestMs` it is answered with an error, `cutMs` later its connection is destroyed.
 * Node's own timeouts end neither a handler that hangs nor a client that does not read. A single timer sweeps all
 * exchanges, because a timer for each would cost more than most requests.
 *
 * Time in which the process was stalled does not count: after a stall timers run before sockets are read, so requests
 * would be refused as too slow although their bytes have arrived.
 */
export function enforceDeadlines({ inFlight, fail, requestMs, cutMs }: Needs): Disposable {
  const everyMs = sweepEvery(requestMs)
  let sweptAt = performance.now()
  const sweep = () => {
    const now = performance.now()
    const lateMs = now - sweptAt - everyMs
    sweptAt = now
    if (lateMs > requestMs * STALL_SHARE) discountStall(now, lateMs)
    // Iterates a copy, because destroying a socket may remove its exchange at once.
    for (const exchange of [...inFlight]) {
      const age = now - exchange.startedAt - exchange.stalledMs
      if (age < requestMs) continue
      if (!exchange.overdue) refuse(exchange)
      else if (age >= requestMs + cutMs) exchange.request.socket.destroy()
    }
  }

  const discountStall = (now: number, lateMs: number) => {
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

/** A sweep delayed by more than this fraction of the limit means that the process was stalled, not just busy. */
const STALL_SHARE = 0.1

/** The sweep's interval delays a refusal by at most 1% of the limit. */
const sweepEvery = (requestMs: number) => Math.max(5, Math.floor(requestMs / 100))

/** A signal that aborts at the deadline or when the client disconnects; to be passed to all that a handler awaits. */
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
