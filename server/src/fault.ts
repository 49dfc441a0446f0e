import type { ErrorBody, ErrorCode, ErrorDetail } from '@stakewright/contract/errors'

export type FaultOptions = {
  readonly cause?: unknown
  /** A more precise status than the code's own, where HTTP has one (405, 413, …). */
  readonly status?: number | undefined
  readonly details?: readonly ErrorDetail[] | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What to do about it, where that is more than the code's own advice. */
  readonly fix?: string | undefined
  /** The call that leads on. */
  readonly next?: ErrorBody['next'] | undefined
  /** `unknown`: the request may have been done. The message says what happened, `tellOutcome` adds what to do. */
  readonly outcome?: 'unknown' | undefined
}

/** A refusal the caller must see. The message says what was wrong and what to do next. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly status: FaultOptions['status']
  readonly details: FaultOptions['details']
  readonly retryAfterSeconds: FaultOptions['retryAfterSeconds']
  readonly headers: FaultOptions['headers']
  readonly fix: FaultOptions['fix']
  readonly next: FaultOptions['next']
  readonly outcome: FaultOptions['outcome']

  constructor(code: ErrorCode, message: string, options: FaultOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'Fault'
    this.code = code
    this.status = options.status
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.headers = options.headers
    this.fix = options.fix
    this.next = options.next
    this.outcome = options.outcome
  }

  /** The same refusal with these parts changed. */
  with(changes: FaultOptions): Fault {
    const { cause, status, details, retryAfterSeconds, headers, fix, next, outcome } = this
    const parts = { cause, status, details, retryAfterSeconds, headers, fix, next, outcome }
    return new Fault(this.code, this.message, { ...parts, ...changes })
  }
}
