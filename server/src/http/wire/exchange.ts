import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from './response.ts'

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters stand in braces: `/things/{id}`. */
  readonly path: string
  /** `none`: anybody may call it. Everything else is for the handler, which checks the credential. */
  readonly auth: string
  /** GET changes something here, so HEAD answers without running the handler. */
  readonly headIsInert?: boolean
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** One request and its response, from the last byte of the request's head to the last byte of the response. */
export type Exchange = {
  /** The `X-Request-Id` of the response. Made here: a client's own could be forged, repeated or break a log line. */
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The address of the client, in the one spelling that limits count by. */
  readonly client: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  /** Position on its connection, from 1. */
  readonly ordinal: number
  /** Whether the head announces a body. */
  readonly carriesBody: boolean
  /** Undefined until the router has found it, and when nothing is served at the path. */
  route: Route | undefined
  /** Over its deadline: it has been answered, and its connection is about to be cut. */
  overdue: boolean
  /** How long the process stood still meanwhile, which does not count for the deadline. */
  stalledMs: number
  /** Length of the response's body. */
  bytes: number
  /** Added to the response, whoever gives it: the handler, an error, the deadline. */
  headers: Headers | undefined
  /** Added to the log line of the request. */
  notes: LogFields | undefined
  /** Data of the application's hooks; this folder does not read it. */
  locals: unknown
  /** Made when a handler asks for the signal. */
  cancel: AbortController | undefined
  /** Refuses what the client sent behind this request; called when the response has been sent. */
  next: (() => void) | undefined
  /** The request before it on its connection, if that was not finished when this one came. */
  previous: Exchange | undefined
  /** Its index in the array of exchanges in flight. */
  place: number
  /** Nothing of it is read, worked on or written any more. */
  finished: boolean
}

/** Answers an exchange with an error, unless it has been answered. */
export type FailExchange = (exchange: Exchange, error: unknown) => void

// Properties, not a WeakMap: they are read and written on every request.
declare module 'node:http' {
  interface IncomingMessage {
    exchange?: Exchange
  }
}
declare module 'node:net' {
  interface Socket {
    latestExchange?: Exchange
    latestClient?: { readonly forwarded: string | string[] | undefined; readonly address: string }
  }
}

/** Every request comes through `begin` of in-flight.ts; one without an exchange is a bug of this folder. */
export function exchangeOf(request: IncomingMessage): Exchange {
  if (request.exchange === undefined) throw new Error('the request has no exchange')
  return request.exchange
}

/** Bytes of the body are still to come, or may be. */
export const isUploading = ({ carriesBody, request }: Exchange) => carriesBody && !request.complete

/** The whole request is here, and its response is not whole yet. */
export const isWorkedOn = (exchange: Exchange) => !isUploading(exchange) && !exchange.response.writableEnded

/** Too late to send anything else on this exchange. */
export const isAnswered = ({ response }: Exchange) => response.headersSent || response.destroyed

/** The client got the whole response, as far as this side can know. */
export const isDelivered = ({ response }: Exchange) => response.writableFinished
