import { ERRORS, type ErrorBody } from '@stakewright/contract/errors'
import { inWords, REST_WORDS } from '@stakewright/contract/words'
import { Fault } from '../fault.ts'
import { toNextCall } from './input/next-call.ts'

/** Converts any thrown value to a fault. The caller learns nothing about the cause of an unexpected error. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault('internal_error', ERRORS.internal_error.example, { cause: error })
}

export const statusOf = (fault: Fault): number => fault.status ?? ERRORS[fault.code].status

/** The error body for a fault, in the words of the transport. */
export function toErrorBody(fault: Fault, requestId: string, words = REST_WORDS): ErrorBody {
  const status = statusOf(fault)
  const seconds = waitOf(fault, status)
  const render = (text: string) => inWords(text, words)
  const next = fault.next && toNextCall(fault.next)
  return {
    error: fault.code,
    message: render(fault.message),
    status,
    requestId,
    ...(fault.details && {
      details: fault.details.map((detail) => ({
        ...detail,
        field: render(detail.field),
        message: render(detail.message),
      })),
    }),
    ...(seconds && { retryAfterSeconds: seconds }),
    fix: render(fault.fix ?? ERRORS[fault.code].fix),
    ...(next && { next }),
    retryable: ERRORS[fault.code].retryable && fault.outcome !== 'unknown',
  }
}

/** Whole seconds, at least one, for 429 and 503. */
function waitOf({ retryAfterSeconds = 1 }: Fault, status: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  return Number.isFinite(retryAfterSeconds) ? Math.max(1, Math.ceil(retryAfterSeconds)) : 1
}
