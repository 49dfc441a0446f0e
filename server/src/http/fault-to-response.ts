import type { ErrorBody } from '@stakewright/contract/errors'
import { ERRORS } from '@stakewright/contract/errors'
import { Fault } from '../fault.ts'
import type { AnswerHeaders } from './answer.ts'

export type ErrorAnswer = {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: AnswerHeaders
}

const CHALLENGE = 'Bearer realm="stakewright"'

/** Everything that is thrown leaves as a fault; what nobody expected says nothing about our insides. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const message =
    'Something failed on our side; it has been logged. Try again, and quote the requestId if it stays.'
  return new Fault('internal_error', message, { cause: error })
}

export const statusOf = (fault: Fault): number => fault.status ?? ERRORS[fault.code].status

/** The one place that turns a fault into an answer. */
export function faultToResponse(fault: Fault, requestId: string): ErrorAnswer {
  const status = statusOf(fault)
  const seconds = waitOf(fault, status)
  return {
    status,
    body: {
      error: fault.code,
      message: fault.message,
      status,
      requestId,
      ...(fault.details && { details: fault.details }),
      ...(seconds && { retryAfterSeconds: seconds }),
    },
    headers: {
      ...(seconds && { 'retry-after': String(seconds) }),
      ...(status === 401 && { 'www-authenticate': CHALLENGE }),
      ...lowerCased(fault.headers),
    },
  }
}

/** Whole seconds, at least one, wherever a client is asked to come back. */
function waitOf({ retryAfterSeconds = 1 }: Fault, status: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  return Number.isFinite(retryAfterSeconds) ? Math.max(1, Math.ceil(retryAfterSeconds)) : 1
}

function lowerCased(headers: Fault['headers'] = {}): AnswerHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
