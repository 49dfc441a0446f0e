import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuditEntry } from '#api/audit-entry.ts'
import type { LogFields } from '#ports/logger.ts'
import type { AnswerHeaders } from './answer.ts'

export type ServedRoute = {
  readonly template: string
  /** Any origin may read it: a GET that needs no credential. */
  readonly isPublicRead: boolean
}

/** One request and its answer, from the last byte of the request's head to the last byte of the answer. */
export type Exchange = {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Who is asking, in the one spelling that limits count by. */
  readonly client: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  /** The how-manieth request of its connection this is, from 1. */
  readonly ordinal: number
  /** Whether the head announces a body. */
  readonly carriesBody: boolean
  /** Unknown until the router has found it; stays so when nothing is served there. */
  route: ServedRoute | undefined
  /** Over its time: it has been told so, and its connection is about to be cut. */
  overdue: boolean
  bytes: number
  /** What every answer to it carries from now on, a refusal or an overdue one too. */
  headers: AnswerHeaders | undefined
  /** What the audit log is told of it; without one, nothing. */
  audit: AuditEntry | undefined
  /** What handlers add to the log line of the request. */
  notes: LogFields | undefined
  /** Made only when a handler asks for the signal. */
  cancel: AbortController | undefined
  /** The refusal of what the client sent after this request; it waits for its turn on the wire. */
  next: (() => void) | undefined
  /** The neighbours in the list of arrivals. */
  older: Exchange | undefined
  newer: Exchange | undefined
  /** Over: nothing of it is read, worked on or written any more. */
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

/** Every request comes through `begin`; anything else is a bug of the edge. */
export function exchangeOf(request: IncomingMessage): Exchange {
  if (request.exchange === undefined) throw new Error('the request did not come through the edge')
  return request.exchange
}

/** Bytes of the body are still to come, or may be. */
export const isUploading = ({ carriesBody, request }: Exchange) => carriesBody && !request.complete

/** Too late to say anything else on this exchange. */
export const isAnswered = ({ response }: Exchange) => response.headersSent || response.destroyed

/** The client got the whole answer, as far as this side can know. */
export const isDelivered = ({ response }: Exchange) => response.writableFinished
