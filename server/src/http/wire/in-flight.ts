import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Exchange } from './exchange.ts'
import { exchangeOf, isDelivered } from './exchange.ts'
import { clientOf } from './parse/client-address.ts'
import { newRequestId } from './request-id.ts'

/** The exchanges that have begun and not finished. */
export type InFlight = {
  /** In arbitrary order. */
  readonly exchanges: readonly Exchange[]
  begin(request: IncomingMessage, response: ServerResponse): Exchange
  /** Resolves when nothing is in flight. */
  whenIdle(): Promise<void>
}

type Needs = {
  readonly maxRequestsPerSocket: number
  readonly trustProxyHops: number
  readonly onFinish: (exchange: Exchange) => void
  readonly onIgnoredProxy: (() => void) | undefined
}

export function trackInFlight(needs: Needs): InFlight {
  const { maxRequestsPerSocket, trustProxyHops, onFinish, onIgnoredProxy } = needs
  // An array, not a Set: measured to be cheaper (docs/decisions/0007).
  const exchanges: Exchange[] = []
  let onIdle: (() => void) | undefined
  let warnOnce = trustProxyHops === 0 ? onIgnoredProxy : undefined

  /** Removes in constant time: the last exchange of the array takes the place of the removed one. */
  function remove(exchange: Exchange): void {
    const last = exchanges.pop()
    if (last === undefined || last === exchange) return
    exchanges[exchange.place] = last
    last.place = exchange.place
  }

  // One listener for all exchanges instead of a closure for each: `this` is the response, which has its request.
  function finish(this: ServerResponse): void {
    const exchange = exchangeOf(this.req)
    exchange.finished = true
    exchange.previous = undefined
    remove(exchange)
    if (!isDelivered(exchange)) exchange.cancel?.abort(new Error('the client is gone'))
    onFinish(exchange)
    exchange.next?.()
    if (onIdle !== undefined && exchanges.length === 0) onIdle()
  }

  return {
    exchanges,
    begin(request, response) {
      const exchange = newExchange(request, response, clientOf(request, trustProxyHops))
      // Ends keep-alive at the limit, because Node would answer later requests with an empty 503.
      if (exchange.ordinal >= maxRequestsPerSocket) response.shouldKeepAlive = false
      if (warnOnce !== undefined && request.headers['x-forwarded-for'] !== undefined) {
        warnOnce()
        warnOnce = undefined
      }
      request.exchange = exchange
      request.socket.latestExchange = exchange
      exchange.place = exchanges.push(exchange) - 1
      response.on('close', finish)
      return exchange
    },
    whenIdle: () =>
      new Promise((resolve) => {
        if (exchanges.length === 0) resolve()
        else onIdle = resolve
      }),
  }
}

function newExchange(request: IncomingMessage, response: ServerResponse, client: string): Exchange {
  const { headers } = request
  const length = headers['content-length']
  const before = request.socket.latestExchange
  return {
    id: newRequestId(),
    request,
    response,
    client,
    startedAt: performance.now(),
    ordinal: (before?.ordinal ?? 0) + 1,
    carriesBody: headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'),
    route: undefined,
    overdue: false,
    stalledMs: 0,
    bytes: 0,
    headers: undefined,
    notes: undefined,
    locals: undefined,
    cancel: undefined,
    next: undefined,
    previous: before?.finished === false ? before : undefined,
    place: 0,
    finished: false,
  }
}
