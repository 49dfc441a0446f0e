import type { EndpointSpec } from '@stakewright/contract'
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
type Issue = { readonly path: readonly PropertyKey[]; readonly message: string; readonly code: string }
type Detail = { readonly field: string; readonly message: string }
type Input = Readonly<Record<string, unknown>>

/** Parameters of path, query and body, checked against the contract and put into one flat object. */
export function checkInput(row: EndpointSpec): (raw: RawInput) => Input {
  // Where only a query is taken, all requests without one have the same input.
  let withoutQuery: Input | undefined
  return (raw) => {
    if (raw.kind === 'arguments') return checkArguments(row, raw.values)
    const query = row.query ? raw.query() : NO_QUERY
    if (row.params || row.body || !isEmpty(query)) return checkRequest(row, raw, query)
    withoutQuery ??= checkRequest(row, raw, query)
    return withoutQuery
  }
}

const NO_QUERY: QueryTexts = Object.freeze({})

function isEmpty(query: QueryTexts): boolean {
  for (const _ in query) return false
  return true
}

function checkRequest(row: EndpointSpec, raw: RequestInput, query: QueryTexts): Input {
  return checkParts(row, {
    params: raw.params,
    query: row.query && decodeQuery(row.query, query),
    body: row.body && bodyOf(row, raw),
  })
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
  if (!row.body && Object.keys(body).length > 0) throw invalidInput(Object.keys(body).map(unknownField))
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
    const result = row[name]?.safeParse(parts[name])
    if (result?.success) Object.assign(input, result.data)
    else if (result) problems.push(...result.error.issues.flatMap(toDetails))
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
  const type = innerType(field)
  if (type === 'number' && /^-?(0|[1-9]\d{0,14})$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** The kind of value behind `optional` and `default`. */
function innerType(field: unknown): string | undefined {
  let definition = (field as { def?: { type: string; innerType?: unknown } }).def
  while (definition?.innerType) definition = (definition.innerType as { def?: typeof definition }).def
  return definition?.type
}

function toDetails(issue: Issue & { readonly keys?: readonly string[] }): readonly Detail[] {
  const path = toPath(issue.path)
  if (issue.code !== 'unrecognized_keys') return [{ field: path, message: plain(issue) }]
  return (issue.keys ?? []).map((key) => unknownField(path === 'body' ? key : `${path}.${key}`))
}

const unknownField = (field: string): Detail => ({
  field,
  message: 'is not a field of this request; leave it out',
})

function toPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body'
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at ? '.' : ''}${String(part)}`))
    .join('')
}

const plain = ({ message }: Issue) =>
  message.replace(/^Invalid input: /, '').replace(/, received undefined$/, ' (it is missing)')

function invalidInput(details: readonly Detail[]): Fault {
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more: see details)` : ''
  const message = first ? `\`${first.field}\` ${first.message}${more}.` : 'The request is not valid.'
  return new Fault('invalid_input', message, { details })
}
