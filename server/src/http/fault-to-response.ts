import type { ErrorBody } from '@stakewright/contract/errors'
import { toErrorBody } from '#api/error-body.ts'
import type { Fault } from '../fault.ts'
import type { AnswerHeaders } from './answer.ts'

export type ErrorAnswer = {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: AnswerHeaders
}

const CHALLENGE = 'Bearer realm="stakewright"'

/** The one place that turns a fault into a response. */
export function faultToResponse(fault: Fault, requestId: string): ErrorAnswer {
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

function lowerCased(headers: Fault['headers'] = {}): AnswerHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
