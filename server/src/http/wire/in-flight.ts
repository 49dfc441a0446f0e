import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { listArrivals } from './arrivals.ts'
import { clientOf } from './client-address.ts'
import type { Exchange } from './exchange.ts'
import { exchangeOf, isDelivered } from './exchange.ts'
import { newRequestId } from './request-id.ts'

/** What is being read, worked on or written right now. */
export type Traffic = {
  /** Oldest first. */
  readonly inFlight: Iterable<Exchange>
  begin(request: IncomingMessage, response: ServerResponse): Exchange
  /** Resolves when nothing is in flight. */
  whenIdle(): Promise<void>
}

type Needs = {
  readonly maxRequestsPerSocket: number
  readonly trustProxyHops: number
  readonly onFinished: (exchange: Exchange) => void
}

export function watchTraffic({ maxRequestsPerSocket, trustProxyHops, onFinished }: Needs): Traffic {
  const arrivals = listArrivals()
  let onIdle: (() => void) | undefined

  // One function for all exchanges: `this` is the response, which knows its request.
  function finish(this: ServerResponse): void {
    const exchange = exchangeOf(this.req)
    exchange.finished = true
    arrivals.remove(exchange)
    if (!isDelivered(exchange)) exchange.cancel?.abort(new Error('the client is gone'))
    onFinished(exchange)
    exchange.next?.()
    if (onIdle !== undefined && arrivals.isEmpty()) onIdle()
  }

  return {
    inFlight: arrivals,
    begin(request, response) {
      const exchange = newExchange(request, response, clientOf(request, trustProxyHops))
      // Node's own limit answers what comes after it with an empty 503; closing in time leaves nothing to refuse.
      if (exchange.ordinal >= maxRequestsPerSocket) response.shouldKeepAlive = false
      request.exchange = exchange
      request.socket.latestExchange = exchange
      arrivals.add(exchange)
      response.on('close', finish)
      return exchange
    },
    whenIdle: () =>
      new Promise((resolve) => {
        if (arrivals.isEmpty()) resolve()
        else onIdle = resolve
      }),
  }
}

function newExchange(request: IncomingMessage, response: ServerResponse, client: string): Exchange {
  const { headers } = request
  const length = headers['content-length']
  return {
    id: newRequestId(),
    request,
    response,
    client,
    startedAt: performance.now(),
    ordinal: (request.socket.latestExchange?.ordinal ?? 0) + 1,
    carriesBody: headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'),
    route: undefined,
    overdue: false,
    bytes: 0,
    headers: undefined,
    audit: undefined,
    notes: undefined,
    cancel: undefined,
    next: undefined,
    older: undefined,
    newer: undefined,
    finished: false,
  }
}
