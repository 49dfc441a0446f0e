import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { type EndpointSpec, TAGS, type Tag } from '../endpoint.ts'
import { ENDPOINTS } from '../index.ts'
import { replyInPart } from '../lists.ts'
import { requestHeaders } from '../request-headers.ts'
import { type EndpointName, ROUTES, type Route } from '../routes.ts'
import { httpDescription } from '../texts/words.ts'
import { ANSWERS } from './answers.ts'
import { EXAMPLE_VALIDATOR, EXAMPLES } from './examples.ts'
import { type ErrorExamples, errorResponses } from './openapi-errors.ts'

const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Remaining':
    'Requests that the key or user has left: the smaller of the per-minute and per-day remainders. The limit of the address applies beside it.',
  'X-RateLimit-Remaining-RPM': 'Requests left in this UTC minute.',
  'X-RateLimit-Remaining-RPD': 'Requests left in this UTC day.',
  'X-RateLimit-Limit-RPM': 'Requests per UTC minute.',
  'X-RateLimit-Limit-RPD': 'Requests per UTC day.',
  'X-RateLimit-Reset': 'Unix time in seconds at which the minute window resets.',
}

const SECURITY: Record<Route['auth'], Record<string, string[]>[]> = {
  none: [],
  'agent-key': [{ apiKey: [] }, { bearerKey: [] }],
  'user-token': [{ userToken: [] }],
}

const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An agent’s API key.' },
  bearerKey: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
  userToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A user’s JWT.' },
} as const

/** An alias, because a package's declarations may not name internal types of another package. */
type OpenapiDocument = ReturnType<typeof createDocument>

/** Which answers have examples; documents for readers with a small context leave some out. */
type Options = {
  readonly withAnswers?: boolean
  readonly withErrors?: boolean
  /** Set if the served chain is not that of the examples; `validatorId` is a validator of it, if known. */
  readonly elsewhere?: { readonly validatorId?: string | undefined } | undefined
}

/** The OpenAPI 3.1 document of the given endpoints. */
export function openapiDocument(
  served: readonly EndpointName[],
  version: string,
  { withAnswers = true, withErrors = true, elsewhere }: Options = {},
): OpenapiDocument {
  const paths: ZodOpenApiPathsObject = {}
  const errors: ErrorExamples | undefined = withErrors ? new Map() : undefined
  for (const name of served) {
    const { path, method } = ROUTES[name]
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: operation(name, { served, withAnswers, errors, elsewhere }),
    }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Stakewright',
        version,
        description:
          'Staking data, optimal allocations, rebalance plans and transaction parameters for automated agents. ' +
          'Amounts are strings of smallest units; APYs are percent per 365 days; commissions and weights are fractions.' +
          (elsewhere ? ` ${noteOn(elsewhere)}` : ''),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: tagsOf(served),
      paths,
      components: { securitySchemes: schemesOf(served), ...(errors && { examples: examplesIn(errors) }) },
    },
    { override: simplify },
  )
  return withOpenReferences(document)
}

/** Examples of answers keep their ids: a recorded answer for one validator would be wrong for another. */
const noteOn = ({ validatorId }: NonNullable<Options['elsewhere']>): string =>
  `Examples come from the sandbox with seed 1, and their ids do not exist on this chain${validatorId === undefined ? '' : ', except for those of validators in requests'}.`

/** Next to a `$ref`, `additionalProperties: false` would refuse every field of the referenced schema. */
const withOpenReferences = (document: OpenapiDocument): OpenapiDocument =>
  JSON.parse(JSON.stringify(document), (_, value) => {
    if (value?.$ref !== undefined) delete value.additionalProperties
    return value
  })

const examplesIn = (errors: ErrorExamples) =>
  Object.fromEntries([...errors.values()].map(({ name, value }) => [name, { value }]))

const schemesOf = (served: readonly EndpointName[]) => {
  const used = served.flatMap((name) => SECURITY[ROUTES[name].auth].flatMap(Object.keys))
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([scheme]) => used.includes(scheme)))
}

const tagsOf = (served: readonly EndpointName[]) =>
  [...new Set(served.map((name): Tag => ENDPOINTS[name].tag))].map((name) => ({
    name,
    description: TAGS[name],
  }))

type Written = {
  additionalProperties?: unknown
  format?: unknown
  pattern?: unknown
  default?: unknown
  description?: string
}

/**
 * Opens the objects of replies, because they may gain fields. Drops the 250-character pattern of times, which
 * `format` already says. Moves the default of a request field into its description: generators treat a field with a
 * default as required.
 */
function simplify({ jsonSchema, io }: { jsonSchema: Written; io: string }): void {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (io === 'input' && jsonSchema.default !== undefined) {
    const said = `Default: ${JSON.stringify(jsonSchema.default)}.`
    jsonSchema.description = `${jsonSchema.description ?? ''} ${said}`.trim()
    delete jsonSchema.default
  }
}

type Described = Pick<Required<Options>, 'withAnswers' | 'elsewhere'> & {
  readonly served: readonly EndpointName[]
  readonly errors: ErrorExamples | undefined
}

function operation(
  name: EndpointName,
  { served, withAnswers, errors, elsewhere }: Described,
): ZodOpenApiOperationObject {
  const route: Route = ROUTES[name]
  const row: EndpointSpec = ENDPOINTS[name]
  const headers = requestHeaders(row)
  const example = inputExample(name, elsewhere?.validatorId)
  return {
    operationId: name,
    tags: [row.tag],
    summary: row.summary,
    description: httpDescription(row),
    security: SECURITY[route.auth],
    requestParams: {
      ...(row.params && { path: withExamples(row.params, example) }),
      ...(row.query && { query: withExamples(row.query, example) }),
      ...(headers && { header: headers }),
    },
    ...(row.body && {
      requestBody: {
        required: row.bodyOptional !== true,
        content: { 'application/json': { schema: row.body, example: exampleOf(row.body, example) } },
      },
    }),
    responses: {
      [String(row.status ?? 200)]: {
        description: 'Success.',
        headers: HEADERS[route.auth === 'none' ? 'open' : 'keyed'],
        content: {
          'application/json': {
            schema: replyInPart(row),
            ...(withAnswers && { example: ANSWERS[name] }),
          },
        },
      },
      ...(row.waiting && { '202': waitingResponse(row.waiting, HEADERS.keyed, withAnswers) }),
      ...(row.conditional && { '304': { description: 'Unchanged since the version you have.' } }),
      ...errorResponses({ name, served }, errors),
    },
  }
}

const waitingResponse = (schema: z.ZodType, headers: z.ZodObject, withAnswers: boolean) => ({
  description: 'Nothing was done yet: the owner of the agent must approve first.',
  headers,
  content: {
    'application/json': { schema, ...(withAnswers && { example: ANSWERS.awaitsApproval }) },
  },
})

type Example = Readonly<Record<string, unknown>>

function inputExample(name: EndpointName, validatorId = EXAMPLE_VALIDATOR): Example {
  const examples: { readonly [Name in EndpointName]?: Example } = EXAMPLES
  const text = JSON.stringify(examples[name] ?? {})
  return JSON.parse(text.replaceAll(EXAMPLE_VALIDATOR, validatorId))
}

/** The members of the endpoint's example that belong to this part of the request. */
function exampleOf(part: z.ZodObject, example: Example): Example {
  return Object.fromEntries(Object.entries(example).filter(([field]) => field in part.shape))
}

/**
 * Gives parameters the values of their endpoint's example, which is tested. Other parameters get none, because
 * tools send every example value they see, even of optional parameters.
 */
function withExamples(part: z.ZodObject, given: Example): z.ZodObject {
  const examples = exampleOf(part, given)
  const shape = Object.entries(part.shape).map(([field, schema]) => {
    const example = examples[field]
    return [
      field,
      example === undefined ? schema : schema.meta({ ...schema.meta(), param: { example } }),
    ] as const
  })
  return z.object(Object.fromEntries(shape))
}

/** A header that the document describes once; every answer refers to it. */
const header = (id: string, description: string) =>
  z.string().optional().meta({ description, header: { id } })

const OPEN_HEADERS = { 'X-Request-Id': header('RequestId', 'Names this answer in our logs.') }
const HEADERS = {
  open: z.object(OPEN_HEADERS),
  keyed: z.object({
    ...OPEN_HEADERS,
    ...Object.fromEntries(
      Object.entries(RATE_LIMIT_HEADERS).map(([name, description]) => [
        name,
        header(name.replaceAll('-', ''), description),
      ]),
    ),
  }),
}
