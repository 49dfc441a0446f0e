import { type EndpointSpec, plainIssue } from '@stakewright/contract'
import { Fault, refusal } from '../../fault.ts'
import { secretAmong } from '../credentials.ts'
import { invalidInput, type Problem, toProblems, unknownField } from './input-problems.ts'
import { definitionOf } from './schema-definition.ts'

/** A parameter that is given several times has a list of its values, which a schema for one value refuses. */
type QueryTexts = Readonly<Record<string, string | readonly string[]>>

/**
 * Input as the transport received it. Parts that may be unreadable are functions, so that they are read, and refused,
 * only after authentication and quota.
 */
export type RawInput =
  | {
      readonly kind: 'request'
      readonly params: Readonly<Record<string, string>>
      readonly query: () => QueryTexts
      readonly hasBody: boolean
      /** The parsed JSON body, or undefined when there is none. */
      readonly body: () => unknown
    }
  /** Parameters of path, query and body as one object of JSON values, as a tool call has them. */
  | { readonly kind: 'arguments'; readonly values: unknown }

type RequestInput = Extract<RawInput, { kind: 'request' }>
type Input = Readonly<Record<string, unknown>>

/** Parameters of path, query and body, checked against the contract and put into one flat object. */
export function checkInput(row: EndpointSpec): (raw: RawInput) => Input {
  // An endpoint with a query alone has the same input for all requests without one, so that input is cached.
  let withoutQuery: Input | undefined
  return (raw) => {
    if (raw.kind === 'arguments') return checkArguments(row, raw.values)
    const query = raw.query()
    if (row.params || row.body || !isEmpty(query)) return checkRequest(row, raw, query)
    withoutQuery ??= checkRequest(row, raw, query)
    return withoutQuery
  }
}

/** Whether nothing was given. */
export function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null
  for (const _ in value) return false
  return true
}

function checkRequest(row: EndpointSpec, raw: RequestInput, query: QueryTexts): Input {
  refuseUnknown(row, query)
  refuseRepeated(row, query)
  const parts = {
    params: raw.params,
    query: row.query && decodeQuery(row.query, query),
    body: row.body && bodyOf(row, raw),
  }
  return checkParts(row, parts, URL_PARTS)
}

/** In a URL all values are text. */
const URL_PARTS: readonly string[] = ['params', 'query']

/** Unknown parameters are refused: ignoring one would silently give another answer than was asked for. */
function refuseUnknown(row: EndpointSpec, query: QueryTexts): void {
  const known = Object.keys(row.query?.shape ?? {})
  const unknown = Object.keys(query).filter((name) => !known.includes(name))
  const secret = secretAmong(unknown)
  if (secret !== undefined) throw keyInUrl(secret)
  if (unknown.length === 0) return
  const { query: schema, tag, summary, description, reply } = row
  // Without path and body, so that their fields are not suggested as names of parameters.
  const part = { tag, summary, description, reply, ...(schema && { query: schema }) }
  const problems = unknown.map((field) =>
    Object.hasOwn(row.body?.shape ?? {}, field) ? misplaced(field) : unknownField(field),
  )
  throw invalidInput(problems, part, Object.keys(query))
}

const misplaced = (field: string): Problem => ({
  kind: 'wrong',
  field,
  message: 'is a field of the body, and not a query parameter',
  advice: { text: `Send \`${field}\` in the JSON body, and not in the URL.` },
})

/** Secrets in URLs are refused, because URLs are kept in logs and histories. */
function keyInUrl(field: string): Fault {
  const message = 'is not read from the URL: a key never belongs there'
  const fix = `Leave out \`${field}\`, and send an API key as the header X-API-Key.`
  return new Fault('invalid_input', `\`${field}\` ${message}. ${fix}`, { fix, details: [{ field, message }] })
}

/** Repeated parameters are refused, because any of the values may be the one that is meant. */
function refuseRepeated(row: EndpointSpec, query: QueryTexts): void {
  const repeated = Object.entries(query).flatMap(([field, value]): readonly Problem[] =>
    Array.isArray(value)
      ? [{ kind: 'wrong', field, message: `is given ${value.length} times; give it once` }]
      : [],
  )
  if (repeated.length > 0) throw invalidInput(repeated, row)
}

/** Assigns each argument to the part that has a field of its name; the body's schema refuses unknown ones. */
function checkArguments(row: EndpointSpec, values: unknown): Input {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw refusal(
      'invalid_input',
      'The arguments are not an object.',
      'Send one, with a member for each field.',
    )
  const params = pick(row.params, values)
  const query = pick(row.query, values)
  const body = Object.fromEntries(
    Object.entries(values).filter(([name]) => !Object.hasOwn(params, name) && !Object.hasOwn(query, name)),
  )
  if (!row.body && Object.keys(body).length > 0) {
    throw invalidInput(
      Object.keys(body).map((name) => unknownField(name)),
      row,
      Object.keys(values),
    )
  }
  return checkParts(row, { params, query, body })
}

function pick(schema: EndpointSpec['body'], values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(schema?.shape ?? {}, name)),
  )
}

type Parts = { readonly params: unknown; readonly query: unknown; readonly body: unknown }

function checkParts(row: EndpointSpec, parts: Parts, asText: readonly string[] = []): Input {
  const problems: Problem[] = []
  const input: Record<string, unknown> = {}
  for (const name of ['params', 'query', 'body'] as const) {
    const result = row[name]?.safeParse(parts[name], { error: plainIssue, reportInput: true })
    if (result?.success) Object.assign(input, result.data)
    else if (result) {
      const isText = asText.includes(name)
      problems.push(...result.error.issues.flatMap((issue) => toProblems({ ...issue, isText }, row)))
    }
  }
  if (problems.length > 0) throw invalidInput(problems, row)
  return Object.freeze(input)
}

function bodyOf(row: EndpointSpec, raw: RequestInput): unknown {
  const body = raw.body()
  if (body !== undefined) return body
  if (row.bodyOptional) return {}
  throw noBody(row)
}

/** The refusal of a missing body lists the required fields. */
function noBody(row: EndpointSpec): Fault {
  const how = 'Send it with Content-Type: application/json.'
  const { issues = [] } = row.body?.safeParse({}, { error: plainIssue, reportInput: true }).error ?? {}
  const problems = issues.flatMap((issue) => toProblems(issue, row))
  const { details = [], next, fix } = invalidInput(problems, row)
  return new Fault('invalid_input', `A JSON body is required. ${how}`, {
    details,
    fix: fix === undefined ? how : `${fix} Send JSON with Content-Type: application/json.`,
    ...(next && { next }),
  })
}

/** Converts text to numbers and booleans where the schema has these; only the plain spelling is converted. */
function decodeQuery(schema: NonNullable<EndpointSpec['query']>, query: QueryTexts): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = query[name]
    if (value !== undefined) decoded[name] = decodeText(value, field)
  }
  return decoded
}

function decodeText(value: unknown, field: unknown): unknown {
  if (typeof value !== 'string') return value
  const { type, format } = definitionOf(field)
  if (type === 'number' && (format ? WHOLE : DECIMAL).test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const WHOLE = /^-?(0|[1-9]\d{0,14})$/
const DECIMAL = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/
