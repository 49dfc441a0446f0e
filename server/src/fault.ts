import type { ErrorBody, ErrorCode, ErrorDetail } from '@stakewright/contract/errors'

export type FaultOptions = {
  readonly cause?: unknown
  /** A more precise status than the code's own, where HTTP has one (405, 413, …). */
  readonly status?: number
  readonly details?: readonly ErrorDetail[]
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
  /** What to do about it, where that is more than the code's own advice. */
  readonly fix?: string
  /** The call that leads on. */
  readonly next?: ErrorBody['next']
}

/** The same refusal with more to say. */
export function extendFault(fault: Fault, more: FaultOptions): Fault {
  const { cause, status, details, retryAfterSeconds, headers, fix, next } = fault
  const known = { cause, status, details, retryAfterSeconds, headers, fix, next }
  const set = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
  return new Fault(fault.code, fault.message, { ...set, ...more })
}

/** The same refusal without the call that leads on, for a caller who may not make it. */
export function withoutNext({ code, message, ...known }: Fault): Fault {
  const { cause, status, details, retryAfterSeconds, headers, fix } = known
  const set = Object.entries({ cause, status, details, retryAfterSeconds, headers, fix })
  return new Fault(code, message, Object.fromEntries(set.filter(([, value]) => value !== undefined)))
}

/** A refusal the caller must see. The message says what was wrong and what to do next. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly status: number | undefined
  readonly details: FaultOptions['details']
  readonly retryAfterSeconds: number | undefined
  readonly headers: FaultOptions['headers']
  readonly fix: string | undefined
  readonly next: FaultOptions['next']

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
  }
}
