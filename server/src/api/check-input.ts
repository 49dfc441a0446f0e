import {
  type EndpointName,
  type EndpointSpec,
  type ErrorBody,
  nearestName,
  plainIssue,
  ROUTES,
} from '@stakewright/contract'
import { Fault } from '../fault.ts'

/** A name that is given several times has all its values: a schema for one value refuses the list. */
export type QueryTexts = Readonly<Record<string, string | readonly string[]>>

/**
 * Input as a transport has it. Its parts are functions where reading them may fail, because that is said only after
 * authentication and quota.
 */
export type RawInput =
  | {
      readonly kind: 'request'
      readonly params: Readonly<Record<string, string>>
      readonly query: () => QueryTexts
      /** The parsed JSON body, or undefined when there is none. */
      readonly body: () => unknown
    }
  /** Parameters of path, query and body as one object of JSON values, as a tool call has them. */
  | { readonly kind: 'arguments'; readonly values: unknown }

type RequestInput = Extract<RawInput, { kind: 'request' }>
type Issue = {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code: string
  readonly input?: unknown
}
type Detail = {
  readonly field: string
  readonly message: string
  /** The field that is meant; none when there is no such field. */
  readonly near?: string | undefined
  readonly isUnknown?: boolean
  readonly isMissing?: boolean
}
type Input = Readonly<Record<string, unknown>>

/** Parameters of path, query and body, checked against the contract and put into one flat object. */
export function checkInput(row: EndpointSpec): (raw: RawInput) => Input {
  // Where only a query is taken, all requests without one have the same input.
  let withoutQuery: Input | undefined
  return (raw) => {
    if (raw.kind === 'arguments') return checkArguments(row, raw.values)
    const query = raw.query()
    if (row.params || row.body || !isEmpty(query)) return checkRequest(row, raw, query)
    withoutQuery ??= checkRequest(row, raw, query)
    return withoutQuery
  }
}

function isEmpty(query: QueryTexts): boolean {
  for (const _ in query) return false
  return true
}

function checkRequest(row: EndpointSpec, raw: RequestInput, query: QueryTexts): Input {
  refuseUnknown(row, query)
  refuseRepeated(query)
  return checkParts(row, {
    params: raw.params,
    query: row.query && decodeQuery(row.query, query),
    body: row.body && bodyOf(row, raw),
  })
}

/** A parameter that is silently ignored would give another answer than the one that was asked for. */
function refuseUnknown({ query: schema }: EndpointSpec, query: QueryTexts): void {
  const known = Object.keys(schema?.shape ?? {})
  const unknown = Object.keys(query).filter((name) => !known.includes(name))
  const secret = unknown.find((name) => SECRET_NAMES.test(name))
  if (secret !== undefined) throw keyInUrl(secret)
  if (unknown.length > 0) throw invalidInput(unknown.map((name) => unknownName(name, known)))
}

const SECRET_NAMES = /^(?:x[_-]?)?(?:api[_-]?key|key|access[_-]?token|token|authorization)$/i

/** A URL ends up in logs and histories. */
function keyInUrl(field: string): Fault {
  const message = 'is not read from the URL: a key never belongs there'
  const fix = `Leave out \`${field}\`, and send an API key as the header X-API-Key.`
  return new Fault('invalid_input', `\`${field}\` ${message}. ${fix}`, { fix, details: [{ field, message }] })
}

/** Which of several values is meant cannot be told. */
function refuseRepeated(query: QueryTexts): void {
  const repeated = Object.entries(query).flatMap(([field, value]) =>
    Array.isArray(value) ? [{ field, message: `is given ${value.length} times; give it once` }] : [],
  )
  if (repeated.length > 0) throw invalidInput(repeated)
}

/** Each argument goes to the part that has a field of its name; one that no part knows is refused by the body. */
function checkArguments(row: EndpointSpec, values: unknown): Input {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new Fault('invalid_input', 'The arguments must be one object, with a member for each field.')
  const params = pick(row.params, values)
  const query = pick(row.query, values)
  const body = Object.fromEntries(
    Object.entries(values).filter(([name]) => !Object.hasOwn(params, name) && !Object.hasOwn(query, name)),
  )
  if (!row.body && Object.keys(body).length > 0) {
    throw invalidInput(Object.keys(body).map((name) => unknownName(name, namesIn(row))))
  }
  return checkParts(row, { params, query, body })
}

function pick(schema: EndpointSpec['body'], values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(schema?.shape ?? {}, name)),
  )
}

type Parts = { readonly params: unknown; readonly query: unknown; readonly body: unknown }

function checkParts(row: EndpointSpec, parts: Parts): Input {
  const problems: Detail[] = []
  const input: Record<string, unknown> = {}
  for (const name of ['params', 'query', 'body'] as const) {
    const result = row[name]?.safeParse(parts[name], { error: plainIssue, reportInput: true })
    if (result?.success) Object.assign(input, result.data)
    else if (result) problems.push(...result.error.issues.flatMap((issue) => toDetails(issue, namesIn(row))))
  }
  if (problems.length > 0) throw invalidInput(problems)
  return Object.freeze(input)
}

function bodyOf(row: EndpointSpec, raw: RequestInput): unknown {
  const body = raw.body()
  if (body !== undefined) return body
  if (row.bodyOptional) return {}
  throw new Fault('invalid_input', 'A JSON body is required. Send it with Content-Type: application/json.')
}

/** Numbers and truth values arrive as text; only their plain spelling is taken for one. */
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
  const { type, format } = innerType(field)
  if (type === 'number' && (format ? WHOLE : DECIMAL).test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const WHOLE = /^-?(0|[1-9]\d{0,14})$/
const DECIMAL = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/

type Definition = { readonly type?: string; readonly format?: string; readonly innerType?: unknown }

/** The kind of value behind `optional` and `default`; a number with a format is a whole one. */
function innerType(field: unknown): Definition {
  let definition = definitionOf(field)
  while (definition.innerType) definition = definitionOf(definition.innerType)
  return definition
}

const definitionOf = (field: unknown): Definition => (field as { readonly def?: Definition }).def ?? {}

const namesIn = ({ params, query, body }: EndpointSpec): readonly string[] =>
  [params, query, body].flatMap((part) => Object.keys(part?.shape ?? {}))

function toDetails(
  issue: Issue & { readonly keys?: readonly string[] },
  known: readonly string[],
): readonly Detail[] {
  const path = toPath(issue.path)
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined
  if (issue.code !== 'unrecognized_keys') return [{ field: path, message: wordingOf(issue), isMissing }]
  return (issue.keys ?? []).map((key) =>
    path === 'body' ? unknownName(key, known) : unknownName(`${path}.${key}`, []),
  )
}

/** A field that is missing is not wrong: whoever left it out first needs to know that it exists. */
function wordingOf({ code, input, message }: Issue): string {
  const isMissing = code === 'invalid_type' && input === undefined && message !== 'is required'
  return isMissing ? `is required; it ${message}` : message
}

/** Names the field that is meant, when one is close. */
function unknownName(field: string, known: readonly string[]): Detail {
  const near = nearestName(field, known)
  const fix = near ? `use \`${near}\`` : 'leave it out'
  return { field, message: `is not a field of this request; ${fix}`, near, isUnknown: true }
}

function toPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body'
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at ? '.' : ''}${String(part)}`))
    .join('')
}

/** More would only make the answer long: whoever corrects these is told the rest. */
const MOST_DETAILS = 20
const MOST_NAMED = 3

function invalidInput(problems: readonly Detail[]): Fault {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more: see details)` : ''
  const message = first ? `\`${first.field}\` ${first.message}${more}.` : 'The request is not valid.'
  const details = problems.slice(0, MOST_DETAILS).map(({ field, message }) => ({ field, message }))
  return new Fault('invalid_input', message, { details, ...fixOf(problems), ...leadOf(problems) })
}

/** Where right values of a field come from. */
const SOURCES: Readonly<Record<string, EndpointName>> = {
  validatorId: 'validators',
  validatorIds: 'validators',
  exclude: 'validators',
  stakedTokenId: 'positions',
  amount: 'metadata',
}

function leadOf(problems: readonly Detail[]): { readonly next?: ErrorBody['next'] } {
  const wrong = problems.find(({ isUnknown, isMissing }) => !isUnknown && !isMissing)
  const source = SOURCES[/(\w+)(?:\[\d+\])?$/.exec(wrong?.field ?? '')?.[1] ?? '']
  if (source === undefined) return {}
  const { method, path } = ROUTES[source]
  return { next: { method, path } }
}

/** What to do, field by field: rename, leave out, or correct. */
function fixOf(problems: readonly Detail[]): { readonly fix?: string } {
  const renamed = problems.flatMap(({ field, near }) =>
    near ? [`Use \`${near}\` instead of \`${field}\`.`] : [],
  )
  const surplus = problems.filter(({ isUnknown, near }) => isUnknown && !near)
  const missing = problems.filter(({ isMissing }) => isMissing)
  const wrong = problems.filter(({ isUnknown, isMissing }) => !isUnknown && !isMissing)
  const advice = [
    ...renamed.slice(0, MOST_NAMED),
    ...(surplus.length > 0 ? [`Leave out ${namesOf(surplus)}.`] : []),
    ...(missing.length > 0 ? [`Add ${namesOf(missing)}.`] : []),
    ...(wrong.length > 0 ? [`Correct ${namesOf(wrong)} and send the request again.`] : []),
  ]
  return advice.length > 0 ? { fix: advice.join(' ') } : {}
}

function namesOf(problems: readonly Detail[]): string {
  const names = problems.slice(0, MOST_NAMED).map(({ field }) => `\`${field}\``)
  const more = problems.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
