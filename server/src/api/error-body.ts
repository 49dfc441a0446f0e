import { ERRORS, type ErrorBody } from '@stakewright/contract/errors'
import { calledIn } from '@stakewright/contract/named-calls'
import { ROUTES } from '@stakewright/contract/routes'
import { Fault } from '../fault.ts'
import { toNextCall } from './input/next-call.ts'

/** Whatever was thrown, as a fault. An unexpected error tells the caller nothing about its cause. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault('internal_error', ERRORS.internal_error.example, { cause: error })
}

export const statusOf = (fault: Fault): number => fault.status ?? ERRORS[fault.code].status

/** What a caller is told of a fault, in every transport. */
export function toErrorBody(fault: Fault, requestId: string): ErrorBody {
  const status = statusOf(fault)
  const seconds = waitOf(fault, status)
  const retryable = ERRORS[fault.code].retryable && fault.outcome !== 'unknown'
  const named = fault.next ?? namedCall(fault.message) ?? namedCall(fault.fix ?? '')
  const next = named && toNextCall(named)
  return {
    error: fault.code,
    message: fault.message,
    status,
    requestId,
    ...(fault.details && { details: fault.details }),
    ...(seconds && { retryAfterSeconds: seconds }),
    fix: fault.fix ?? adviceOf(fault),
    ...(next && { next }),
    retryable,
  }
}

/** A text that names a call of the API leads on by it. */
function namedCall(text: string): ErrorBody['next'] {
  const [endpoint] = calledIn(text)
  if (!endpoint) return undefined
  const { method, path } = ROUTES[endpoint]
  return { method, path }
}

const MOST_NAMED = 3

/** Codes whose messages know more than the code. */
const SAID_BY_MESSAGE: ReadonlySet<string> = new Set(['forbidden', 'not_found'])

/** The code's own advice points to `details` or `next`. Without them, the message says what to do in its last sentence. */
function adviceOf({ code, message, details, next }: Fault): string {
  const [only, ...others] = details ?? []
  const [, instead] = (others.length === 0 && /; (.+?)\.?$/.exec(only?.message ?? '')) || []
  if (code === 'invalid_input' && instead) return `${instead.slice(0, 1).toUpperCase()}${instead.slice(1)}.`
  if (code === 'invalid_input' && only) {
    const names = [...new Set([only, ...others].map(({ field }) => `\`${field}\``))]
    return `Correct ${names.slice(0, MOST_NAMED).join(', ')} and send the request again.`
  }
  const isPointless =
    (code === 'invalid_input' && details === undefined) || (code === 'unauthorized' && next === undefined)
  const [, advice] = isPointless || SAID_BY_MESSAGE.has(code) ? (/^[^.]*\. (.+)$/.exec(message) ?? []) : []
  return advice ?? (isPointless ? message : ERRORS[code].fix)
}

/** Whole seconds, at least one, wherever a caller is asked to come back. */
function waitOf({ retryAfterSeconds = 1 }: Fault, status: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  return Number.isFinite(retryAfterSeconds) ? Math.max(1, Math.ceil(retryAfterSeconds)) : 1
}
