import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import type { EndpointSpec } from '../endpoint.ts'
import { ERRORS, type ErrorBody, type ErrorCode, OTHER_STATUSES } from '../errors.ts'
import { ENDPOINTS } from '../index.ts'
import { type EndpointName, ROUTES, type Route } from '../routes.ts'
import { CODES, ErrorSchema } from './error-schema.ts'
import { COMMON_REFUSALS, REFUSALS } from './refusals.ts'

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

/** The error examples of one document, by their JSON, so that equal examples are written once. */
export type ErrorExamples = Map<string, { readonly name: string; readonly value: ErrorBody }>

type Described = { readonly name: EndpointName; readonly served: readonly EndpointName[] }

/** One response per status. Codes with the same status share it, each with its own example. */
export function errorResponses(
  { name, served }: Described,
  examples: ErrorExamples | undefined,
): ZodOpenApiResponsesObject {
  const row: EndpointSpec = ENDPOINTS[name]
  const known = new Set([...ALWAYS, ...BY_AUTH[ROUTES[name].auth], ...(row.errors ?? [])])
  const codes = CODES.filter((code) => known.has(code))
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    for (const status of [ERRORS[code].status, ...otherStatuses(code, row)]) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code])
    }
  }
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b)
  const refer = (given: ErrorExamples, code: ErrorCode, status: number) => {
    const value = exampleOf(code, status, { name, served })
    const text = JSON.stringify(value)
    const isPlain = text === JSON.stringify(plainExample(code, status))
    const example = given.get(text) ?? { name: `${keyOf(code, status)}${isPlain ? '' : `_${name}`}`, value }
    given.set(text, example)
    return [code, example.name] as const
  }
  return Object.fromEntries(
    statuses.map(([status, shared]) => [
      String(status),
      errorResponse(shared, status, examples && shared.map((code) => refer(examples, code, status))),
    ]),
  )
}

const responses = new Map<string, ZodOpenApiResponseObject>()

/** Cached, so that the document has each response once and endpoints refer to it. */
function errorResponse(
  codes: readonly ErrorCode[],
  status: number,
  examples: readonly (readonly [code: ErrorCode, name: string])[] | undefined,
): ZodOpenApiResponseObject {
  const id = (examples?.map(([, name]) => name) ?? codes.map((code) => keyOf(code, status))).join('_or_')
  const key = examples ? id : `${id} without examples`
  const response = responses.get(key) ?? {
    id,
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join(' '),
    content: {
      'application/json': { schema: ErrorSchema, ...(examples && { examples: referring(examples) }) },
    },
  }
  responses.set(key, response)
  return response
}

const referring = (examples: readonly (readonly [code: ErrorCode, name: string])[]) =>
  Object.fromEntries(examples.map(([code, name]) => [code, { $ref: `#/components/examples/${name}` }]))

/** The further statuses that a well-formed request to a known path can get: those of a body, and of a long URL. */
function otherStatuses(code: ErrorCode, { params, query, body }: EndpointSpec): readonly number[] {
  const all: Partial<Record<ErrorCode, readonly number[]>> = OTHER_STATUSES
  const possible = [...(body ? [408, 413, 415] : []), ...(params || query ? [414] : [])]
  return (all[code] ?? []).filter((status) => possible.includes(status))
}

const keyOf = (code: ErrorCode, status: number): string =>
  status === ERRORS[code].status ? code : `${code}_${status}`

/** The recorded answer of the sandbox; if none was recorded, the general example of the error code. */
function exampleOf(code: ErrorCode, status: number, { name, served }: Described): ErrorBody {
  const isSandbox = served.includes('sandboxKey')
  const alike = isSandbox ? `${ROUTES[name].auth} in the sandbox` : ROUTES[name].auth
  const byAuth = COMMON_REFUSALS[alike] ?? COMMON_REFUSALS[ROUTES[name].auth]
  const recorded = status === ERRORS[code].status ? REFUSALS[name][code] : COMMON_REFUSALS[String(status)]
  const found = recorded ?? (code === 'unauthorized' ? byAuth : undefined)
  const isServed = found?.next?.path !== ROUTES.sandboxKey.path || isSandbox
  return found && isServed ? found : plainExample(code, status)
}

function plainExample(code: ErrorCode, status: number): ErrorBody {
  const { example, fix, retryable } = ERRORS[code]
  const message = status === 408 ? 'The upload took too long. Send the request again.' : example
  const [, advice] = (!retryable && /^[^.]*\. (.+)$/.exec(message)) || []
  return {
    error: code,
    message,
    status,
    requestId: 'x7Qm2LrT0aVbN4cZ8eYp',
    ...((status === 429 || status === 503) && { retryAfterSeconds: 12 }),
    fix: advice ?? fix,
    retryable,
  }
}
