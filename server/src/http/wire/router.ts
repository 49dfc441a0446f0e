import type { IncomingMessage } from 'node:http'
import { Fault } from '../fault.ts'
import type { Exchange, FailExchange, ServedRoute } from './exchange.ts'
import type { RoutePath } from './route-paths.ts'
import { listRoutePaths } from './route-paths.ts'
import type { Handler } from './run-handler.ts'
import { runHandler } from './run-handler.ts'
import { PREFLIGHT } from './security-headers.ts'
import type { SendAnswer } from './send-answer.ts'

/** A row of the contract, as far as the router is concerned. */
export type RouteRow = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters stand in braces: `/api/v1/staking/validators/{id}`. */
  readonly path: string
  /** `none` is public; everything else is a credential that the handler asks for. */
  readonly auth: string
  /** GET changes something here, so HEAD answers without running the handler. */
  readonly headIsInert?: boolean
}

type Needs = {
  readonly send: SendAnswer
  readonly fail: FailExchange
}

type Target = { readonly route: ServedRoute; readonly handle: Handler }

export type Routing = {
  serve(row: RouteRow, handler: Handler): void
  /** Runs the handler of a request, or says what is wrong with its path or method. */
  dispatch(exchange: Exchange): void
}

export function openRouting({ send, fail }: Needs): Routing {
  const paths = listRoutePaths<Target>()
  const run = runHandler({ send, fail })

  /** No handler: the path is unknown, or it is known and the method is not. */
  const refuse = (
    exchange: Exchange,
    { method = '' }: IncomingMessage,
    here: readonly RoutePath<Target>[],
  ) => {
    const served = new Map(here.flatMap(({ methods }) => [...methods]))
    const allow = [...served.keys(), 'OPTIONS'].join(', ')
    const preflight = served.get('GET')?.route.isPublicRead ? PREFLIGHT : undefined
    if (here.length === 0) fail(exchange, unknownPath())
    else if (method === 'OPTIONS') send(exchange, { status: 204, headers: { allow, ...preflight } })
    else fail(exchange, wrongMethod(method, allow))
  }

  return {
    serve({ method, path, auth, headIsInert = false }, handle) {
      const route: ServedRoute = { template: path, isPublicRead: method === 'GET' && auth === 'none' }
      paths.add(method, path, { route, handle })
      if (method === 'GET') paths.add('HEAD', path, { route, handle: headIsInert ? () => ({}) : handle })
    },
    dispatch(exchange) {
      const { request } = exchange
      const found = paths.find(request.method ?? '', request.url ?? '')
      if (found.kind === 'unreadable') fail(exchange, badPath())
      else if (found.kind === 'missing') refuse(exchange, request, found.here)
      else {
        exchange.route = found.target.route
        run(exchange, found.target.handle, found.params)
      }
    },
  }
}

const unknownPath = () => {
  const message = 'Nothing is served at this path. Compare it with /openapi.json: case and slashes count.'
  return new Fault('not_found', message)
}

const wrongMethod = (method: string, allow: string) => {
  const message = `${method} is not possible here. Use one of: ${allow}.`
  return new Fault('invalid_input', message, { status: 405, headers: { allow } })
}

const badPath = () => {
  const message =
    'The path has a % that is not followed by the code of a UTF-8 character. Encode % itself as %25.'
  return new Fault('invalid_input', message)
}
