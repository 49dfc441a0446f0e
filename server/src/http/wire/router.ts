import { type Fault, refusal } from '../../fault.ts'
import { compressShared } from './compress.ts'
import type { Exchange, FailExchange, Route } from './exchange.ts'
import type { Hooks } from './hooks.ts'
import { readBody } from './parse/body.ts'
import type { SizeLimits } from './parse/head-rules.ts'
import { listRoutePaths, type Params, type RoutePath } from './parse/route-paths.ts'
import { type HttpRequest, toHttpRequest } from './request.ts'
import type { HttpResponse } from './response.ts'
import type { Send } from './send.ts'

export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

type Needs = {
  readonly send: Send
  readonly fail: FailExchange
  readonly hooks: Pick<
    Hooks,
    'preflightHeaders' | 'unknownPath' | 'missingPage' | 'misspelledPath' | 'wrongMethod' | 'shownKey'
  >
  readonly limits: SizeLimits
}

type Target = { readonly route: Route; readonly handle: Handler }

type Router = {
  serve(route: Route, handler: Handler): void
  /** Runs the handler of a request, or refuses its path or method. */
  dispatch(exchange: Exchange): void
}

export function openRouter({ send, fail, hooks, limits }: Needs): Router {
  const { bodyBytes, jsonDepth } = limits
  const { shownKey } = hooks
  const paths = listRoutePaths<Target>()
  const routes: Route[] = []
  const compress = compressShared()

  /** For requests without a handler: the path is unknown, or does not serve the method. */
  function refuse(exchange: Exchange, here: readonly RoutePath<Target>[]): void {
    const { method = '' } = exchange.request
    const served = new Map(here.flatMap(({ methods }) => [...methods]))
    const allow = [...served.keys(), 'OPTIONS'].join(', ')
    const preflight = hooks.preflightHeaders(served.get('GET')?.route, exchange.request.headers.origin, allow)
    if (here.length === 0) refuseUnknown(exchange, method)
    else if (method === 'OPTIONS') send(exchange, { status: 204, headers: { allow, ...preflight } })
    else fail(exchange, misspelled(exchange, here) ?? wrongMethod(exchange, here, allow))
  }

  function wrongMethod(exchange: Exchange, here: readonly RoutePath<Target>[], allow: string): Fault {
    const { method = '', headers } = exchange.request
    const meant = { method: allow.split(',', 1)[0] ?? '', path: here[0]?.template ?? '' }
    return hooks.wrongMethod({ method, allow, meant, headers }, routes)
  }

  function misspelled(exchange: Exchange, here: readonly RoutePath<Target>[]): Fault | undefined {
    const hasWords = here.some(({ parameters }) => !parameters.some(Boolean))
    const { method = '' } = exchange.request
    return hasWords ? undefined : hooks.misspelledPath?.(method, pathOf(exchange), routes)
  }

  function refuseUnknown(exchange: Exchange, method: string): void {
    const path = pathOf(exchange)
    const { url = '', headers } = exchange.request
    const page = isRead(method) ? hooks.missingPage?.(url, headers.accept) : undefined
    if (page) send(exchange, page)
    else fail(exchange, (hooks.unknownPath ?? notFound)(method, path, routes))
  }

  /** Reads the body, if there is one, and runs the handler. */
  function run(exchange: Exchange, handle: Handler, params: Params): void {
    if (!exchange.carriesBody) {
      void respond(
        exchange,
        handle,
        toHttpRequest({ exchange, params, bytes: undefined, jsonDepth, shownKey }),
      )
      return
    }
    readBody(exchange, bodyBytes, {
      take: (bytes) =>
        void respond(exchange, handle, toHttpRequest({ exchange, params, bytes, jsonDepth, shownKey })),
      refuse: (fault) => fail(exchange, fault),
    })
  }

  /** Sends what the handler returns or throws. */
  async function respond(exchange: Exchange, handle: Handler, request: HttpRequest): Promise<void> {
    try {
      const answer = await handle(request)
      const sent = answer.isShared ? compress(answer, exchange.request.headers['accept-encoding']) : answer
      send(exchange, sent instanceof Promise ? await sent : sent)
    } catch (error) {
      fail(exchange, error)
    }
  }

  return {
    serve(route, handle) {
      const { method, path, headSkipsHandler = false } = route
      routes.push(route)
      paths.add(method, path, { route, handle })
      if (method === 'GET') paths.add('HEAD', path, { route, handle: headSkipsHandler ? () => ({}) : handle })
    },
    dispatch(exchange) {
      const { request } = exchange
      const found = paths.find(request.method ?? '', request.url ?? '')
      if (found.kind === 'unreadable') fail(exchange, badPath())
      else if (found.kind === 'missing') refuse(exchange, found.here)
      else {
        exchange.route = found.target.route
        run(exchange, found.target.handle, found.params)
      }
    },
  }
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const pathOf = ({ request }: Exchange): string => (request.url ?? '').split('?', 1)[0] ?? ''

const notFound = () =>
  refusal('not_found', 'Nothing is served at this path.', 'Check it: case and slashes count.')

const badPath = () =>
  refusal(
    'invalid_input',
    'The path has a % that is not followed by the code of a UTF-8 character.',
    'Encode % itself as %25.',
  )
