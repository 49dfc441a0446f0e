import type { ErrorBody, ErrorCode } from '@stakewright/contract'

/** `unreachable`: there was no answer at all. `not_modified`, `approval_needed`: see NotModified, ApprovalNeeded. */
export type ClientErrorCode = ErrorCode | 'unreachable' | 'not_modified' | 'approval_needed'

type Answered = Partial<Omit<ErrorBody, 'error' | 'message'>>

/** A refusal of the service, or `unreachable` when there was no answer at all; then `cause` is what `fetch` threw. */
export class StakewrightError extends Error {
  readonly code: ClientErrorCode
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly details: NonNullable<ErrorBody['details']>
  /** How long to wait before a retry, if the service said so. */
  readonly retryAfterSeconds: number | undefined
  /** What to do about it, if the service has advice. */
  readonly fix: string | undefined
  /** The call to make next, if the service named one. */
  readonly next: ErrorBody['next']
  /**
   * Whether the same call may be sent again: the service says that it had no effect, or a repeat is safe. False if the
   * outcome of a call that must not be done twice is unknown.
   */
  readonly retryable: boolean

  constructor(code: ClientErrorCode, message: string, answer: Answered = {}, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'StakewrightError'
    this.code = code
    this.status = answer.status
    this.requestId = answer.requestId
    this.details = answer.details ?? []
    this.retryAfterSeconds = answer.retryAfterSeconds
    this.fix = answer.fix
    this.next = answer.next
    this.retryable = answer.retryable ?? false
  }
}

/** The answer has not changed since the version that the caller named by its `hash`. */
export class NotModified extends StakewrightError {
  constructor() {
    super('not_modified', 'Nothing has changed since the answer that `hash` names.', { status: 304 })
    this.name = 'NotModified'
  }
}

/** The 202 body of a build that needs an approval. */
type Waiting = ApprovalNeeded['approval'] & Pick<ErrorBody, 'message' | 'fix' | 'next'>

/** Nothing was built: the owner of the agent must approve first. Repeat the call with `approvalId` after that. */
export class ApprovalNeeded extends StakewrightError {
  readonly approval: { readonly approvalId: string; readonly expiresAt: string }

  constructor({ approvalId, expiresAt, message, fix, next }: Waiting) {
    super('approval_needed', message, { status: 202, fix, ...(next && { next }), retryable: false })
    this.name = 'ApprovalNeeded'
    this.approval = { approvalId, expiresAt }
  }
}

/** Throws for a 202 answer with an approval id, which only builds have. */
export function refuseWaiting(status: number, body: unknown): void {
  if (status !== 202 || typeof body !== 'object' || body === null || !('approvalId' in body)) return
  throw new ApprovalNeeded(body as Waiting)
}

/** Limits, overload and gateways: the same request may succeed later. */
const TRANSIENT: readonly number[] = [429, 502, 503, 504]

type Unanswered = { readonly baseUrl: string; readonly timeoutMs: number; readonly isSafe: boolean }

/** The error for a request without an answer, with the reason that `fetch` gives. */
export function toUnreachable({ baseUrl, timeoutMs, isSafe }: Unanswered, cause: unknown): StakewrightError {
  const reason = isTimeout(cause) ? `none came within ${timeoutMs} ms` : reasonOf(cause)
  const message = `No answer from ${baseUrl}: ${reason}.`
  if (HOPELESS.includes(reason)) return toWrongAddress(message, { cause })
  return new StakewrightError('unreachable', message, { retryable: isSafe }, { cause })
}

/** The error for a wrong scheme, host or port, such as after a redirect: a retry would not help. */
export const toWrongAddress = (text: string, options?: ErrorOptions): StakewrightError =>
  new StakewrightError(
    'unreachable',
    text,
    { fix: 'Give the address of the service itself as the base URL.', retryable: false },
    options,
  )

/** Codes for error answers that are not the service's own. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  429: 'rate_limited',
  503: 'service_overloaded',
  504: 'timeout',
}

/**
 * An error answer without the service's body comes from a proxy, so only its status is known. A 429 is sent before the
 * call has any effect, and the service sets `retryable` if a call had none; after any other transient error only calls
 * that are safe to repeat are retryable.
 */
export function toError(response: Response, text: string, isSafe: boolean): StakewrightError {
  if (response.status === 304) return new NotModified()
  const retryAfterSeconds = readRetryAfter(response.headers)
  const waiting = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  const { status } = response
  const body = parseBody(text)
  const wasNotDone = body?.retryable === true || status === 429
  const retryable = wasNotDone || (isSafe && TRANSIENT.includes(status))
  if (body) return new StakewrightError(body.error, body.message, { ...waiting, ...body, retryable })
  const code = BY_STATUS[status] ?? 'internal_error'
  return new StakewrightError(code, `The answer had status ${status} and no error body.`, {
    status,
    retryable,
    ...waiting,
  })
}

const NO_TLS = 'what answers there does not speak TLS, so its address begins with http://'
const BLOCKED_PORT = 'this port belongs to another protocol, so that fetch never connects to it'
/** Reasons that are the same next time. */
const HOPELESS: readonly string[] = [NO_TLS, BLOCKED_PORT]

const isTimeout = (cause: unknown) => cause instanceof Error && cause.name === 'TimeoutError'

/** `fetch` hides the reason in `cause`; a host with several addresses has one error for each of them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (error.cause !== undefined) return reasonOf(error.cause)
  if ('code' in error && error.code === 'ERR_SSL_WRONG_VERSION_NUMBER') return NO_TLS
  if (error.message === 'bad port') return BLOCKED_PORT
  return error.message === '' ? error.name : error.message.replace(/\.$/, '')
}

/** In seconds. Proxies may send the header as a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const sentAt = Date.parse(headers.get('date') ?? '')
  const seconds = Math.ceil((Date.parse(text) - sentAt) / 1_000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
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
