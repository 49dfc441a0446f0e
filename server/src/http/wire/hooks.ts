import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Fault } from '../../fault.ts'
import type { Exchange, Route } from './exchange.ts'
import type { ShownKey } from './parse/strict-json.ts'
import type { Headers, HttpResponse } from './response.ts'

type RefusedBytes = {
  readonly requestId: string
  readonly client: string
  readonly status: number
  readonly reason: string
}

/** The decisions and effects that the application adds to the server. */
export type Hooks = {
  /** Runs before the route is looked up. A Fault refuses the request. */
  readonly onRequest?: (exchange: Exchange, path: string) => Fault | undefined | Promise<Fault | undefined>
  /**
   * Runs for bytes that could not be parsed as a request, with the address of their connection. A Fault replaces their
   * refusal.
   */
  readonly onMalformed?: (client: string) => Fault | undefined | Promise<Fault | undefined>
  /** Runs once, for the first `X-Forwarded-For` that is ignored. */
  readonly onIgnoredProxy?: () => void
  /** The response to an error, thrown by a handler or raised by the server itself; the latter may have no request. */
  readonly toErrorResponse: (
    error: unknown,
    requestId: string,
    request?: IncomingMessage,
  ) => HttpResponse & { readonly status: number }
  /** Headers of every response; those of the response itself take precedence. */
  readonly defaultHeaders: (route: Route | undefined) => Headers
  /** Additional headers of one response, by its exchange. */
  readonly headersFor?: (exchange: Exchange) => Headers | undefined
  /** Headers of the response to OPTIONS. `route` is that of GET at the path, `allow` lists all methods there. */
  readonly preflightHeaders: (
    route: Route | undefined,
    origin: string | undefined,
    allow: string,
  ) => Headers | undefined
  /** The refusal of an unknown path; `served` are all routes. */
  readonly unknownPath?: (method: string, path: string, served: readonly Route[]) => Fault
  /** A page that replaces that refusal for browsers; undefined: none. `url` is path and query. */
  readonly missingPage?: (url: string, accept: string | undefined) => HttpResponse | undefined
  /**
   * The refusal of a path that matches a parameter only because of a misspelled word, and does not serve the method.
   */
  readonly misspelledPath?: (method: string, path: string, served: readonly Route[]) => Fault | undefined
  /**
   * The refusal of a method that the path does not serve. `meant` is a route of the path, `allow` lists its methods.
   */
  readonly wrongMethod: (
    refused: {
      readonly method: string
      readonly allow: string
      readonly meant: { readonly method: string; readonly path: string }
      readonly headers: IncomingHttpHeaders
    },
    served: readonly Route[],
  ) => Fault
  /** The form in which refusals show a key of a body. Left out: they show none. */
  readonly shownKey?: ShownKey
  /** Runs for each error, thrown by a handler or raised by the server, before its response is sent. */
  readonly onError: (exchange: Exchange, error: unknown) => void
  /** Runs after the response was sent or the client has disconnected. */
  readonly onFinish: (exchange: Exchange) => void
  /** Runs after bytes that could not be parsed as a request were refused. */
  readonly onRefusedBytes: (refusal: RefusedBytes) => void
}
