import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Fault } from '../fault.ts'
import type { Exchange, FailExchange } from './exchange.ts'
import { isAnswered } from './exchange.ts'
import type { EdgeGuard } from './guard-together.ts'
import { refuseHead } from './inspect-head.ts'
import type { SendAnswer } from './send-answer.ts'
import type { Traffic } from './traffic.ts'
import type { RefuseOnWire } from './wire-refusal.ts'

type Needs = {
  readonly server: Server
  readonly traffic: Traffic
  readonly send: SendAnswer
  readonly fail: FailExchange
  readonly refuse: RefuseOnWire
  /** Somebody else should get what is new. */
  readonly isLeaving: () => boolean
  readonly guard: EdgeGuard | undefined
  readonly dispatch: (exchange: Exchange) => void
}

const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** Lets requests in: each becomes an exchange, and what its head forbids goes no further. */
export function openGate({ server, traffic, send, fail, refuse, isLeaving, guard, dispatch }: Needs): void {
  const admit = (request: IncomingMessage, response: ServerResponse): void => {
    if (isPastEnd(request)) return
    const exchange = traffic.begin(request, response)
    // Counted in any case; what is wrong with the head is said first.
    const guarded = guard?.(exchange, pathOf(request))
    const fault = refuseLate(exchange) ?? refuseHead(request, exchange.carriesBody)
    if (fault !== undefined) {
      Promise.resolve(guarded).catch(() => {})
      turnAway(exchange, fault)
    } else if (guarded instanceof Promise) {
      guarded.then(
        (refusal) => pass(exchange, request, refusal),
        (error: unknown) => fail(exchange, error),
      )
    } else pass(exchange, request, guarded)
  }

  /**
   * A proxy sends what may be repeated to another instance, and learns from the refusal that this one leaves. What may
   * not be repeated would be lost, so it is served; either way its connection ends.
   */
  const refuseLate = ({ request, response }: Exchange): Fault | undefined => {
    if (!isLeaving()) return undefined
    response.shouldKeepAlive = false
    return REPEATABLE.has(request.method ?? '') ? goingDown() : undefined
  }

  const pass = (exchange: Exchange, request: IncomingMessage, refusal: Fault | undefined): void => {
    // The deadline may have answered while the guard was asking.
    if (exchange.finished || isAnswered(exchange)) return
    if (refusal !== undefined) fail(exchange, refusal)
    else if (request.url === '*') send(exchange, { status: 204, headers: { allow: ALL_METHODS } })
    else {
      request.url = withoutOrigin(request.url ?? '')
      dispatch(exchange)
    }
  }

  /** After a head that cannot be trusted, neither can what follows on the same connection. */
  const turnAway = (exchange: Exchange, fault: Fault): void => {
    exchange.response.shouldKeepAlive = false
    fail(exchange, fault)
  }

  server.on('request', admit)
  // Whoever waits for 100 Continue gets it when the body is wanted, and a refusal instead when it is not.
  server.on('checkContinue', admit)
  server.on('checkExpectation', (request, response) => {
    if (isPastEnd(request)) return
    const exchange = traffic.begin(request, response)
    Promise.resolve(guard?.(exchange, pathOf(request))).catch(() => {})
    turnAway(exchange, unknownExpectation())
  })
  server.on('connect', ({ socket }) => {
    // Node hands the bare connection over: nobody else listens to it or reads from it any more.
    socket.on('error', () => socket.destroy())
    socket.resume()
    refuse(socket, noTunnels(), 'CONNECT')
  })
}

const pathOf = ({ url = '' }: IncomingMessage) => {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** A connection whose last answer has been written may still bring requests; HTTP leaves them unanswered. */
const isPastEnd = ({ socket }: IncomingMessage) => !socket.writable

/** A request may name the whole URL, as to a proxy; only its path counts. */
function withoutOrigin(url: string): string {
  if (url.startsWith('/')) return url
  const path = url.replace(/^https?:\/\/[^/?]+/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

const goingDown = () =>
  new Fault('service_overloaded', 'This instance is being stopped. Send the request again in a moment.', {
    retryAfterSeconds: 1,
  })

const unknownExpectation = () =>
  new Fault(
    'invalid_input',
    'The only expectation that can be met is 100-continue. Leave the Expect header out.',
    {
      status: 417,
    },
  )

const noTunnels = () =>
  new Fault('invalid_input', 'CONNECT is not possible here: this is not a proxy. Send the request itself.', {
    status: 405,
    headers: { allow: ALL_METHODS },
  })
