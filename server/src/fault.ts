import type { ErrorCode, ErrorDetail } from '@stakewright/contract/errors'
import type { EndpointName } from '@stakewright/contract/routes'
import type { Term } from '@stakewright/contract/words'

/** The call of `next` in an error: an endpoint with known inputs, or a route of the server. */
export type NextCall =
  | { readonly endpoint: EndpointName; readonly given?: Readonly<Record<string, unknown>> | undefined }
  | { readonly endpoint?: undefined; readonly method: string; readonly path: string }

export type FaultOptions = {
  readonly cause?: unknown
  /** A more specific status than that of the code (405, 413, …). */
  readonly status?: number | undefined
  readonly details?: readonly ErrorDetail[] | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What to do. Default: the fix of the code, which is to wait. */
  readonly fix?: string | undefined
  readonly next?: NextCall | undefined
  /** `unknown`: the request may have been done. The message says what happened, `adviseOnUnknownOutcome` adds what to do. */
  readonly outcome?: 'unknown' | undefined
}

/** Errors that only the caller can correct, so the refusal must say how. */
type CallersCode = 'invalid_input' | 'unauthorized' | 'forbidden' | 'not_found'

type OptionsFor<Code extends ErrorCode> = Code extends CallersCode
  ? [options: FaultOptions & { readonly fix: string }]
  : [options?: FaultOptions]

/**
 * A refusal that the caller must see. Texts refer to calls by `call`, which each transport renders in its own words.
 */
export class Fault<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode
  readonly status: FaultOptions['status']
  readonly details: FaultOptions['details']
  readonly retryAfterSeconds: FaultOptions['retryAfterSeconds']
  readonly headers: FaultOptions['headers']
  readonly fix: FaultOptions['fix']
  readonly next: FaultOptions['next']
  readonly outcome: FaultOptions['outcome']

  constructor(code: Code, message: string, ...[options = {}]: OptionsFor<Code>) {
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

/** A refusal whose message ends with what to do. */
export const refusal = (
  code: CallersCode,
  problem: string,
  fix: string,
  more: Omit<FaultOptions, 'fix'> = {},
): Fault => new Fault(code, `${problem} ${fix}`, { ...more, fix })

/** A problem of a field, as a predicate after its name, and what to send instead as a clause. */
export type WrongField = Pick<FaultOptions, 'fix' | 'next'> & {
  readonly field: string
  readonly problem: string
  readonly instead?: string
}

export const wrongField = (
  field: string,
  problem: string,
  more: Omit<WrongField, 'field' | 'problem'> = {},
) => wrongFields({ ...more, field, problem })

export function wrongFields(...fields: readonly [WrongField, ...(readonly WrongField[])]): Fault {
  const [first, ...others] = fields
  const more = others.length > 0 ? ` (and ${others.length} more: see details)` : ''
  return new Fault('invalid_input', `\`${first.field}\` ${messageOf(first)}${more}.`, {
    details: fields.map((one) => ({ field: one.field, message: messageOf(one) })),
    fix: others.length > 0 ? correctionOf(fields) : (first.fix ?? insteadOf(first) ?? correctionOf(fields)),
    next: fields.find(({ next }) => next)?.next,
  })
}

const messageOf = ({ problem, instead }: WrongField): string =>
  instead === undefined ? problem : `${problem}; ${instead}`

const insteadOf = ({ instead }: WrongField): string | undefined =>
  instead && `${instead.slice(0, 1).toUpperCase()}${instead.slice(1)}.`

const MAX_NAMED = 3

function correctionOf(fields: readonly WrongField[]): string {
  const names = [...new Set(fields.map(({ field }) => `\`${field}\``))]
  return `Correct ${names.slice(0, MAX_NAMED).join(', ')} and send the request again.`
}

/** Placeholder in a text for a term that differs between transports. */
export const term = (name: Term): string => `{{${name}}}`

/** Placeholder in a text for a call, which each transport renders in its own words. */
export const call = (endpoint: EndpointName): string => `{{${endpoint}}}`
