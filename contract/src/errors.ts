/** Every error code of the API and the HTTP status it is sent with, unless the edge knows a more precise one. */
export const ERRORS = {
  invalid_input: {
    status: 400,
    meaning: 'The request fails validation; `details` names each field and its fix.',
  },
  unauthorized: { status: 401, meaning: 'The credential is missing, wrong, or not usable (yet).' },
  forbidden: { status: 403, meaning: 'The credential is valid, but its tier or role may not do this.' },
  not_found: { status: 404, meaning: 'There is no such resource, or it belongs to somebody else.' },
  rate_limited: { status: 429, meaning: 'A limit is used up; wait `Retry-After` seconds.' },
  internal_error: { status: 500, meaning: 'Something unexpected failed here; it has been logged.' },
  service_overloaded: {
    status: 503,
    meaning: 'Total traffic is above the limit; wait `Retry-After` seconds.',
  },
  store_not_ready: {
    status: 503,
    meaning: 'The data store or its first data are not ready; try again shortly.',
  },
  rpc_unavailable: { status: 503, meaning: 'Fresh chain data cannot be had right now; try again shortly.' },
  timeout: { status: 504, meaning: 'The work took over 10 s (504), or the upload did (408).' },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof ERRORS

/** Statuses with which a code may also be sent: what HTTP itself distinguishes, the closed code set does not. */
export const OTHER_STATUSES = {
  invalid_input: [405, 413, 414, 415, 417, 431],
  timeout: [408],
} as const satisfies Partial<Record<ErrorCode, readonly number[]>>

/** The body of every error answer. */
export type ErrorBody = {
  readonly error: ErrorCode
  readonly message: string
  readonly status: number
  readonly requestId: string
  readonly details?: readonly { readonly field: string; readonly message: string }[]
  readonly retryAfterSeconds?: number
  /** What to do about it, in one sentence. */
  readonly fix?: string
  /** The call that leads on. */
  readonly next?: { readonly method: string; readonly path: string }
  /** Whether the same request may succeed later. */
  readonly retryable?: boolean
}
