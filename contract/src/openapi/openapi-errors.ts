import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import type { EndpointSpec } from '../endpoint.ts'
import { ERRORS, type ErrorBody, type ErrorCode, OTHER_STATUSES } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Route } from '../routes.ts'

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

/** What a status says that its code alone does not. */
const MESSAGES: { readonly [status: number]: string } = {
  408: 'The upload took too long. Send the request again.',
  413: `The body is larger than ${LIMITS.bodyBytes} bytes. Send less.`,
  415: 'The body must be JSON. Send it with Content-Type: application/json.',
}

const CODES = Object.keys(ERRORS) as ErrorCode[]

const text = (description: string) => z.string().meta({ description })

const ErrorSchema = z
  .object({
    error: z.enum(CODES).meta({ description: 'The code; the set is closed.' }),
    message: text('What was wrong and what to do next.'),
    status: z.int().meta({ description: 'The HTTP status.' }),
    requestId: text('Also in `X-Request-Id`: name it when you ask us.'),
    details: z
      .array(
        z.object({
          field: text('Where it stands, such as `positions[0].principal`.'),
          message: text('What is wrong with it.'),
          rule: text('The rule of the policy that refuses.').optional(),
          limit: text('What the rule allows.').optional(),
          actual: text('What was asked for.').optional(),
          clearsAt: z
            .string()
            .nullable()
            .optional()
            .meta({ description: 'When the same wish would keep the rule; null: time alone does not help.' }),
        }),
      )
      .optional()
      .meta({ description: 'Each wrong field, or each broken rule of a policy.' }),
    retryAfterSeconds: z.int().min(1).optional().meta({ description: 'Also in `Retry-After`.' }),
    fix: text('What to do about it.'),
    next: z
      .object({
        method: text('HTTP method.'),
        path: text('Path; parameters stand in braces.'),
        body: z
          .record(z.string(), z.unknown())
          .optional()
          .meta({ description: 'A body that it takes, as an example; only where sending it costs nothing.' }),
      })
      .optional()
      .meta({ description: 'The call that leads on, where there is one.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later.' }),
  })
  .meta({
    id: 'Error',
    description: `The body of every error. Requests are limited to ${LIMITS.bodyBytes} bytes and ${LIMITS.requestMs / 1000} seconds.`,
  })

/** One response per status; codes that share a status share it, each with an example of its own. */
export function errorResponses(route: Route, row: EndpointSpec): ZodOpenApiResponsesObject {
  const codes = [...new Set([...ALWAYS, ...BY_AUTH[route.auth], ...(row.errors ?? [])])]
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    for (const status of [ERRORS[code].status, ...(row.body ? otherStatuses(code) : [])]) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code])
    }
  }
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    statuses.map(([status, shared]) => [
      String(status),
      {
        description: shared.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join(' '),
        content: { 'application/json': { schema: ErrorSchema, examples: examplesOf(shared, status) } },
      },
    ]),
  )
}

/** Those statuses that a well-formed request to a known path can meet. */
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
      { summary: ERRORS[code].meaning, value: exampleOf(code, status) },
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
