import type { ErrorBody } from '@stakewright/contract/errors'
import { toErrorBody, toFault } from '#api/error-body.ts'
import type { Fault } from '../fault.ts'
import type { Headers } from './wire/response.ts'

type ErrorResponse = {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Headers
}

const CHALLENGE = 'Bearer realm="stakewright"'

/** The one place that turns an error into a response. */
export function toErrorResponse(error: unknown, requestId: string): ErrorResponse {
  const fault = toFault(error)
  const body = toErrorBody(fault, requestId)
  const { status, retryAfterSeconds } = body
  return {
    status,
    body,
    headers: {
      ...(retryAfterSeconds && { 'retry-after': String(retryAfterSeconds) }),
      ...(status === 401 && { 'www-authenticate': CHALLENGE }),
      ...lowerCased(fault.headers),
    },
  }
}

function lowerCased(headers: Fault['headers'] = {}): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
