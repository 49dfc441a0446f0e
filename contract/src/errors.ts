/** Every error code of the API and its HTTP status, unless the HTTP layer has a more precise one. */
export const ERRORS = {
  invalid_input: {
    status: 400,
    retryable: false,
    meaning: 'The request fails validation; `details` names each field and what is wrong with it.',
    fix: 'Correct what `details` names and send the request again.',
    example: 'The request is not valid. Correct it and send it again.',
  },
  unauthorized: {
    status: 401,
    retryable: false,
    meaning: 'The credential is missing, wrong, expired, revoked or not active yet.',
    fix: 'Send a credential that works: `next` says where to get one.',
    example: 'The proof of identity is wrong or was used before. Get a new proof.',
  },
  forbidden: {
    status: 403,
    retryable: false,
    meaning:
      'The credential is valid, but its tier, role or policy may not do this; where a policy refuses, `details` has every broken rule.',
    fix: 'Use the credential of an agent or user that may do this.',
    example: 'This credential may not do this. Use that of an agent or user that may.',
  },
  not_found: {
    status: 404,
    retryable: false,
    meaning: 'There is no such resource, or it belongs to somebody else.',
    fix: 'Check the id, or list what there is.',
    example: 'There is nothing with this id. Check it, or list what there is.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    meaning: 'A limit is used up; wait `Retry-After` seconds.',
    fix: 'Wait `retryAfterSeconds`, then send the same request again.',
    example: 'The limit of 10 requests per minute is used up. Try again in 12 s.',
  },
  internal_error: {
    status: 500,
    retryable: false,
    meaning: 'Something unexpected failed here; it has been logged.',
    fix: 'Report it with the `requestId`.',
    example: 'Something failed on our side; it has been logged. Report it with the `requestId`.',
  },
  service_overloaded: {
    status: 503,
    retryable: true,
    meaning: 'Total traffic is above the limit; wait `Retry-After` seconds.',
    fix: 'Wait `retryAfterSeconds`, then send the same request again.',
    example: 'The total traffic of the service is above its limit. Try again in 12 s.',
  },
  store_not_ready: {
    status: 503,
    retryable: true,
    meaning: 'The data store or its first data are not ready; try again shortly.',
    fix: 'Wait `retryAfterSeconds`, then send the same request again.',
    example: 'The first data are not available yet. Try again shortly.',
  },
  rpc_unavailable: {
    status: 503,
    retryable: true,
    meaning: 'Fresh chain data are not available right now; try again shortly.',
    fix: 'Wait `retryAfterSeconds`, then send the same request again.',
    example: 'The chain cannot be reached right now. Try again shortly.',
  },
  timeout: {
    status: 504,
    retryable: true,
    meaning: 'The request took longer than 10 s to process (504) or to upload (408).',
    fix: 'Send the same request again.',
    example: 'The work took too long and was given up. Try again.',
  },
} as const satisfies Record<string, ErrorSpec>

type ErrorSpec = {
  readonly status: number
  /** Whether the same request, sent again shortly, may succeed. */
  readonly retryable: boolean
  readonly meaning: string
  /** The default advice; a fault may have its own. */
  readonly fix: string
  readonly example: string
}

export type ErrorCode = keyof typeof ERRORS

/** Further statuses of a code: HTTP distinguishes cases that the closed set of codes does not. */
export const OTHER_STATUSES = {
  invalid_input: [405, 412, 413, 414, 415, 417, 431],
  timeout: [408],
} as const satisfies Partial<Record<ErrorCode, readonly number[]>>

/** A problem with one field, or a broken rule of a policy. */
export type ErrorDetail = {
  readonly field: string
  readonly message: string
  readonly rule?: string
  /** The limit of the rule and the requested value. */
  readonly limit?: string
  readonly actual?: string
  /** When the same request would be allowed; null: waiting does not help. */
  readonly clearsAt?: string | null
}

/** The body of every error answer. */
export type ErrorBody = {
  readonly error: ErrorCode
  readonly message: string
  readonly status: number
  readonly requestId: string
  readonly details?: readonly ErrorDetail[]
  readonly retryAfterSeconds?: number
  /** What to do about it, in one sentence. */
  readonly fix: string
  /** The call to make next. */
  readonly next?: {
    readonly method: string
    readonly path: string
    /** The known fields of its body: values that the caller has sent, or an arbitrary name. */
    readonly body?: Readonly<Record<string, unknown>>
    /** The fields that the caller must add. */
    readonly needs?: readonly string[]
    /** Fields of which the caller must add exactly one. */
    readonly needsOneOf?: readonly string[]
  }
  /** Whether the same request may be sent again and may succeed then: it had no effect, or a repeat is safe. */
  readonly retryable: boolean
}
