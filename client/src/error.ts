import type { ErrorBody, ErrorCode } from '@stakewright/contract'

/** A refusal of the service, or `unreachable` when there was no answer at all. */
export class StakewrightError extends Error {
  readonly code: ErrorCode | 'unreachable'
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly details: NonNullable<ErrorBody['details']>
  /** How long to wait before trying again, where the service said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode | 'unreachable',
    message: string,
    answer: Partial<Pick<ErrorBody, 'status' | 'requestId' | 'details' | 'retryAfterSeconds'>> = {},
    options: ErrorOptions = {},
  ) {
    super(message, options)
    this.name = 'StakewrightError'
    this.code = code
    this.status = answer.status
    this.requestId = answer.requestId
    this.details = answer.details ?? []
    this.retryAfterSeconds = answer.retryAfterSeconds
  }

  static unreachable(baseUrl: string, cause: unknown): StakewrightError {
    return new StakewrightError('unreachable', `No answer from ${baseUrl}.`, {}, { cause })
  }
}

/** An error answer without our body comes from something in between; it keeps its status and is `internal_error`. */
export function toError(status: number, text: string): StakewrightError {
  const body = parseBody(text)
  if (body) return new StakewrightError(body.error, body.message, body)
  return new StakewrightError('internal_error', `The answer had status ${status} and no error body.`, {
    status,
  })
}

function parseBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text)
    return typeof body?.error === 'string' && typeof body.message === 'string'
      ? (body as ErrorBody)
      : undefined
  } catch {
    return undefined
  }
}
