import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import type { EndpointSpec } from '../endpoint.ts'
import { ERRORS, type ErrorBody, type ErrorCode, OTHER_STATUSES } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Route } from '../routes.ts'
import { CODES, ErrorSchema } from './error-schema.ts'

const BY_AUTH: Record<Route['auth'], readonly ErrorCode[]> = {
  none: [],
  'agent-key': ['unauthorized', 'forbidden', 'rate_limited', 'store_not_ready'],
  'user-token': ['unauthorized', 'rate_limited', 'store_not_ready'],
}
const ALWAYS: readonly ErrorCode[] = [
  'invalid_input',
  'rate_limited',
  'service_overloaded',
  'internal_error',
  'timeout',
]

const DETAILS = [{ field: 'amount', message: 'is required' }]

/** Messages of statuses that are more precise than their code. */
const MESSAGES: { readonly [status: number]: string } = {
  408: 'The upload took too long. Send the request again.',
  413: `The body is larger than ${LIMITS.bodyBytes} bytes. Send less.`,
  415: 'The body must be JSON. Send it with Content-Type: application/json.',
}

/** One response per status. Codes with the same status share it, each with its own example. */
export function errorResponses(
  route: Route,
  row: EndpointSpec,
  withExamples: boolean,
): ZodOpenApiResponsesObject {
  const known = new Set([...ALWAYS, ...BY_AUTH[route.auth], ...(row.errors ?? [])])
  const codes = CODES.filter((code) => known.has(code))
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    for (const status of [ERRORS[code].status, ...(row.body ? otherStatuses(code) : [])]) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code])
    }
  }
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    statuses.map(([status, shared]) => [String(status), errorResponse(shared, status, withExamples)]),
  )
}

const responses = new Map<string, ZodOpenApiResponseObject>()

/** Cached, so that the document has each response once and endpoints refer to it. */
function errorResponse(
  codes: readonly ErrorCode[],
  status: number,
  withExamples: boolean,
): ZodOpenApiResponseObject {
  const id = codes.map((code) => keyOf(code, status)).join('_or_')
  const key = withExamples ? id : `${id} without examples`
  const examples = withExamples ? { examples: examplesOf(codes, status) } : {}
  const response = responses.get(key) ?? {
    id,
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join(' '),
    content: { 'application/json': { schema: ErrorSchema, ...examples } },
  }
  responses.set(key, response)
  return response
}

/** The further statuses that a well-formed request to a known path can get. */
function otherStatuses(code: ErrorCode): readonly number[] {
  const all: Partial<Record<ErrorCode, readonly number[]>> = OTHER_STATUSES
  return (all[code] ?? []).filter((status) => [408, 413, 415].includes(status))
}

const examplesOf = (codes: readonly ErrorCode[], status: number) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${keyOf(code, status)}` }]))

const keyOf = (code: ErrorCode, status: number): string =>
  status === ERRORS[code].status ? code : `${code}_${status}`

/** Written once in the document: every endpoint refers to them. */
export const ERROR_EXAMPLES = Object.fromEntries(
  CODES.flatMap((code) =>
    [ERRORS[code].status, ...otherStatuses(code)].map((status) => [
      keyOf(code, status),
      { value: exampleOf(code, status) },
    ]),
  ),
)

function exampleOf(code: ErrorCode, status: number): ErrorBody {
  const { example, fix, retryable } = ERRORS[code]
  return {
    error: code,
    message: MESSAGES[status] ?? example,
    status,
    requestId: 'x7Qm2LrT0aVbN4cZ8eYp',
    ...(code === 'invalid_input' && status === 400 && { details: DETAILS }),
    ...((status === 429 || status === 503) && { retryAfterSeconds: 12 }),
    fix,
    retryable,
  }
}
