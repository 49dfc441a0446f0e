import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Fault } from '../../fault.ts'
import type { Exchange, Route } from './exchange.ts'
import type { Headers, HttpResponse } from './response.ts'

type RefusedBytes = {
  readonly requestId: string
  readonly client: string
  readonly status: number
  readonly reason: string
}

/** Where an application takes part in what the server does with every request. */
export type Hooks = {
  /** Runs before the route is looked up. A Fault refuses the request. */
  readonly onRequest?: (exchange: Exchange, path: string) => Fault | undefined | Promise<Fault | undefined>
  /**
   * Runs for bytes that never became a request, with the address of their connection. A Fault replaces the refusal that
   * they would get.
   */
  readonly onMalformed?: (client: string) => Fault | undefined | Promise<Fault | undefined>
  /** Runs once, for the first `X-Forwarded-For` that is not believed. */
  readonly onIgnoredProxy?: () => void
  /** The response to an error: one that a handler threw, or one that the server found itself, with or without a request. */
  readonly toErrorResponse: (
    error: unknown,
    requestId: string,
    request?: IncomingMessage,
  ) => HttpResponse & { readonly status: number }
  /** Headers of every response; those of the response itself take their place. */
  readonly defaultHeaders: (route: Route | undefined) => Headers
  /** Headers of one response on top of these, by the request that it is for. */
  readonly headersFor?: (exchange: Exchange) => Headers | undefined
  /** Headers of the response to OPTIONS, by the route of GET at the same path, the asking origin and all methods there. */
  readonly preflightHeaders: (
    route: Route | undefined,
    origin: string | undefined,
    allow: string,
  ) => Headers | undefined
  /** The refusal of a path that nothing is served at; `served` is everything that is. */
  readonly unknownPath?: (method: string, path: string, served: readonly Route[]) => Fault
  /** What to send instead of that refusal, if anything: a page, to a browser. `url` is path and query. */
  readonly missingPage?: (url: string, accept: string | undefined) => HttpResponse | undefined
  /** The refusal of a path that fits a parameter only by a misspelled word, and does not serve the method. */
  readonly misspelledPath?: (method: string, path: string, served: readonly Route[]) => Fault | undefined
  /** The refusal of a method that its path does not serve. `meant` is a route of the path, and `allow` has all methods. */
  readonly wrongMethod: (
    refused: {
      readonly method: string
      readonly allow: string
      readonly meant: { readonly method: string; readonly path: string }
      readonly headers: IncomingHttpHeaders
    },
    served: readonly Route[],
  ) => Fault
  /** A handler threw, or the server refused the request; the response has not been sent yet. */
  readonly onError: (exchange: Exchange, error: unknown) => void
  /** The response has been sent, or its client has left. */
  readonly onFinish: (exchange: Exchange) => void
  /** Bytes that never became a request have been refused. */
  readonly onRefusedBytes: (refusal: RefusedBytes) => void
}
