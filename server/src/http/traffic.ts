import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange } from './exchange.ts'
import { exchangeOf, isDelivered } from './exchange.ts'
import { newRequestId } from './request-id.ts'

/** What is being read, worked on or written right now, oldest first. */
export type Traffic = {
  readonly inFlight: ReadonlySet<Exchange>
  begin(request: IncomingMessage, response: ServerResponse): Exchange
  /** Resolves when nothing is in flight. */
  whenIdle(): Promise<void>
}

type Needs = {
  readonly maxRequestsPerSocket: number
  readonly onFinished: (exchange: Exchange) => void
}

export function watchTraffic({ maxRequestsPerSocket, onFinished }: Needs): Traffic {
  const inFlight = new Set<Exchange>()
  const idle: (() => void)[] = []

  // One function for all exchanges: `this` is the response, which knows its request.
  function finish(this: ServerResponse): void {
    const exchange = exchangeOf(this.req)
    inFlight.delete(exchange)
    if (!isDelivered(exchange)) exchange.cancel?.abort(new Error('the client is gone'))
    onFinished(exchange)
    exchange.next?.()
    if (inFlight.size === 0) for (const resolve of idle.splice(0)) resolve()
  }

  return {
    inFlight,
    begin(request, response) {
      const exchange = newExchange(request, response)
      request.exchange = exchange
      request.socket.latestExchange = exchange
      inFlight.add(exchange)
      // Node's own limit answers what comes after it with an empty 503; closing in time leaves nothing to refuse.
      if (exchange.ordinal >= maxRequestsPerSocket) response.shouldKeepAlive = false
      response.on('close', finish)
      return exchange
    },
    whenIdle: () => (inFlight.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  }
}

function newExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const { headers } = request
  const length = headers['content-length']
  return {
    id: newRequestId(),
    request,
    response,
    startedAt: performance.now(),
    ordinal: (request.socket.latestExchange?.ordinal ?? 0) + 1,
    carriesBody: headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'),
    route: undefined,
    overdue: false,
    bytes: 0,
    headers: undefined,
    onFinished: undefined,
    notes: undefined,
    cancel: undefined,
    next: undefined,
  }
}
