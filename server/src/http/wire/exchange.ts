import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from './response.ts'

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters in braces: `/things/{id}`. */
  readonly path: string
  /** `none`: public. The handler checks the credential that any other value stands for. */
  readonly auth: string
  /** For a GET with an effect: HEAD is answered without running the handler. */
  readonly headSkipsHandler?: boolean
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** One request and its response, from the last byte of the request's head to the last byte of the response. */
export type Exchange = {
  /**
   * The `X-Request-Id` of the response. Never the client's own, which could be forged, repeated or break a log line.
   */
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client's address in canonical form, by which limits count. */
  readonly client: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  /** Position on its connection, from 1. */
  readonly ordinal: number
  /** Whether the head announces a body. */
  readonly carriesBody: boolean
  /** Undefined before routing, and for unknown paths. */
  route: Route | undefined
  /** Past its deadline: the timeout was answered, and the connection will be destroyed. */
  overdue: boolean
  /** Time in which the process was stalled, which does not count for the deadline. */
  stalledMs: number
  /** Length of the response's body. */
  bytes: number
  /** Added to the response, also to that of an error or the deadline. */
  headers: Headers | undefined
  /** Added to the log line of the request. */
  notes: LogFields | undefined
  /** Data of the application's hooks; this folder does not read it. */
  locals: unknown
  /** Made when a handler asks for the signal. */
  cancel: AbortController | undefined
  /** Called after the response was sent; refuses malformed bytes that arrived behind this request. */
  next: (() => void) | undefined
  /** The previous request on the connection, if it was not finished when this one arrived. */
  previous: Exchange | undefined
  /** Its index in the array of exchanges in flight. */
  place: number
  /** The response was sent, or the connection has ended. */
  finished: boolean
}

/** Answers an exchange with an error, unless it has an answer already. */
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

/** `begin` of in-flight.ts sets the exchange of every request, so a missing one is a bug. */
export function exchangeOf(request: IncomingMessage): Exchange {
  if (request.exchange === undefined) throw new Error('the request has no exchange')
  return request.exchange
}

/** Whether bytes of the body are, or may be, still to come. */
export const isUploading = ({ carriesBody, request }: Exchange) => carriesBody && !request.complete

/** Whether the request has arrived completely and its response was not written completely. */
export const isWorkedOn = (exchange: Exchange) => !isUploading(exchange) && !exchange.response.writableEnded

/** Whether it is too late to send a response on this exchange. */
export const isAnswered = ({ response }: Exchange) => response.headersSent || response.destroyed

/** Whether the whole response was handed to the operating system. */
export const isDelivered = ({ response }: Exchange) => response.writableFinished
