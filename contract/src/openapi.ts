import { z } from 'zod'
import { type EndpointSpec, TAGS } from './endpoint.ts'
import { ERRORS, type ErrorCode, OTHER_STATUSES } from './errors.ts'
import { ENDPOINTS } from './index.ts'
import { LIMITS } from './limits.ts'
import { type EndpointName, ROUTES, type Route } from './routes.ts'

type Json = { [key: string]: unknown }

const BY_AUTH: Record<Route['auth'], readonly ErrorCode[]> = {
  none: [],
  'agent-key': ['unauthorized', 'rate_limited', 'store_not_ready'],
  'user-token': ['unauthorized', 'rate_limited', 'store_not_ready'],
}
const ALWAYS: readonly ErrorCode[] = [
  'invalid_input',
  'rate_limited',
  'service_overloaded',
  'internal_error',
  'timeout',
]

const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Remaining': 'Requests left: the smaller of the per-minute and per-day remainders.',
  'X-RateLimit-Remaining-RPM': 'Requests left in this UTC minute.',
  'X-RateLimit-Remaining-RPD': 'Requests left in this UTC day.',
  'X-RateLimit-Limit-RPM': 'Requests per UTC minute.',
  'X-RateLimit-Limit-RPD': 'Requests per UTC day.',
  'X-RateLimit-Reset': 'Unix time in seconds at which the minute window resets.',
}

/** The OpenAPI 3.1 document of exactly the endpoints that are served. */
export function openapiDocument(served: readonly EndpointName[], version: string): Json {
  const schemas = componentSchemas(served)
  const paths: { [path: string]: { [method: string]: Json } } = {}
  for (const name of served) {
    const route = ROUTES[name]
    const operations = paths[route.path] ?? {}
    operations[route.method.toLowerCase()] = operation(name, route, ENDPOINTS[name])
    paths[route.path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stakewright',
      version,
      description:
        'Staking data, optimal allocations, rebalance plans and transaction parameters for automated agents. ' +
        'Amounts are strings of smallest units; APYs are percent per 365 days; commissions and weights are fractions.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(served.map((name) => ENDPOINTS[name].tag))].map((name) => ({
      name,
      description: TAGS[name],
    })),
    paths,
    components: {
      schemas: { ...schemas, Error: errorSchema() },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An agent’s API key.' },
        bearerKey: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
        userToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A user’s JWT.' },
      },
    },
  }
}

function operation(name: EndpointName, route: Route, row: EndpointSpec): Json {
  const status = row.status ?? 200
  return {
    operationId: name,
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    security: SECURITY[route.auth],
    ...parametersOf(row),
    ...(row.body && {
      requestBody: {
        required: row.bodyOptional !== true,
        content: { 'application/json': { schema: inputSchema(row.body) } },
      },
    }),
    responses: {
      [status]: {
        description: 'Success.',
        headers: headersOf(route),
        content: { 'application/json': { schema: outputSchema(row.reply) } },
      },
      ...(row.conditional && { 304: { description: 'Unchanged since the version you have.' } }),
      ...errorResponses(route, row),
    },
  }
}

const SECURITY: Record<Route['auth'], readonly Json[]> = {
  none: [],
  'agent-key': [{ apiKey: [] }, { bearerKey: [] }],
  'user-token': [{ userToken: [] }],
}

function parametersOf(row: EndpointSpec): { parameters?: Json[] } {
  const list = (['params', 'query'] as const).flatMap((part) => {
    const schema = row[part]
    if (!schema) return []
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
    return Object.entries(properties).map(([name, property]) => parameter(part, name, property, required))
  })
  if (row.conditional) {
    list.push({ name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } })
  }
  return list.length === 0 ? {} : { parameters: list }
}

function parameter(
  part: 'params' | 'query',
  name: string,
  property: unknown,
  required: readonly string[],
): Json {
  const schema = { ...(property as Json) }
  const description = schema['description']
  delete schema['description']
  return {
    name,
    in: part === 'params' ? 'path' : 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }
}

function headersOf(route: Route): Json {
  const described: Record<string, string> = {
    'X-Request-Id': 'Names this answer in our logs.',
    ...(route.auth === 'none' ? {} : RATE_LIMIT_HEADERS),
  }
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
}

/** One response per status; codes that share a status share it. */
function errorResponses(route: Route, row: EndpointSpec): Json {
  const codes = [...new Set([...ALWAYS, ...BY_AUTH[route.auth], ...(row.errors ?? [])])]
  const meanings = new Map<number, string[]>()
  for (const code of codes) {
    const statuses = [ERRORS[code].status, ...(row.body ? otherStatuses(code) : [])]
    for (const status of statuses) {
      meanings.set(status, [...(meanings.get(status) ?? []), `\`${code}\`: ${ERRORS[code].meaning}`])
    }
  }
  return Object.fromEntries(
    [...meanings]
      .toSorted(([a], [b]) => a - b)
      .map(([status, lines]) => [
        status,
        {
          description: lines.join(' '),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  )
}

/** Those statuses that a well-formed request to a known path can meet. */
function otherStatuses(code: ErrorCode): readonly number[] {
  const all: Partial<Record<ErrorCode, readonly number[]>> = OTHER_STATUSES
  return (all[code] ?? []).filter((status) => [408, 413, 415].includes(status))
}

const reference = (id: string) => `#/components/schemas/${id}`

/** A schema with a name becomes a reference to its component; others are written where they stand. */
function outputSchema(schema: z.ZodType): unknown {
  const id = schema.meta()?.id
  return id ? { $ref: reference(id) } : opened(z.toJSONSchema(schema, { io: 'output' }))
}

function inputSchema(schema: z.ZodType): unknown {
  const id = schema.meta()?.id
  return id ? { $ref: reference(id) } : z.toJSONSchema(schema, { io: 'input' })
}

/** Components of the served endpoints only, so that nothing is announced that does not work. */
function componentSchemas(served: readonly EndpointName[]): Json {
  const components: Json = {}
  const collect = (schema: z.ZodType | undefined, io: 'input' | 'output') => {
    if (!schema) return
    const { $defs = {}, ...own } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Json & {
      $defs?: Json
    }
    const id = schema.meta()?.id
    // A schema with an id stands in `$defs` itself, and `own` is then only a reference to it.
    const found: Json = { ...(id ? { [id]: own } : {}), ...$defs }
    for (const [key, value] of Object.entries(found)) components[key] ??= clean(value, io)
  }
  for (const name of served) {
    const row: EndpointSpec = ENDPOINTS[name]
    collect(row.body, 'input')
    collect(row.reply, 'output')
  }
  return Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** zod names a schema by a string `id`; a property of that name is an object, and stays. */
function clean(value: unknown, io: 'input' | 'output'): unknown {
  const isOurs = (key: string, inner: unknown) =>
    key === '$schema' || (key === 'id' && typeof inner === 'string')
  const text = JSON.stringify(value, (key, inner) => (isOurs(key, inner) ? undefined : inner))
  const rewritten: unknown = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'))
  return io === 'output' ? opened(rewritten) : rewritten
}

/** Answers may gain fields: a client must not refuse one it does not know. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === 'additionalProperties' && inner === false))
      .map(([key, inner]) => [key, opened(inner)]),
  )
}

function errorSchema(): Json {
  return {
    type: 'object',
    required: ['error', 'message', 'status', 'requestId', 'fix', 'retryable'],
    properties: {
      error: { type: 'string', enum: Object.keys(ERRORS), description: 'The code; the set is closed.' },
      message: { type: 'string', description: 'What was wrong and what to do next.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      requestId: { type: 'string', description: 'Also in `X-Request-Id`: name it when you ask us.' },
      details: {
        type: 'array',
        description: 'Each wrong field and its fix.',
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: {
            field: { type: 'string', description: 'Where it stands, such as `positions[0].principal`.' },
            message: { type: 'string', description: 'What is wrong with it.' },
          },
        },
      },
      retryAfterSeconds: { type: 'integer', minimum: 1, description: 'Also in `Retry-After`.' },
      fix: { type: 'string', description: 'What to do about it.' },
      next: {
        type: 'object',
        description: 'The call that leads on, where there is one.',
        required: ['method', 'path'],
        properties: {
          method: { type: 'string', description: 'HTTP method.' },
          path: { type: 'string', description: 'Path; parameters stand in braces.' },
        },
      },
      retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
    },
    description: `The body of every error. Requests are limited to ${LIMITS.bodyBytes} bytes and ${LIMITS.requestMs / 1000} seconds.`,
  }
}
