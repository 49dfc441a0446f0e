import type { Row } from '@stakewright/contract'
import { Fault } from '../fault.ts'
import type { Inbound } from './inbound.ts'
import { NO_QUERY, type Query } from './query.ts'

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string; readonly code: string }
type Detail = { readonly field: string; readonly message: string }
type Input = Readonly<Record<string, unknown>>

/** Parameters of path, query and body, checked against the contract and put into one flat object. */
export function checkInput(row: Row): (inbound: Inbound) => Input {
  // Where only a query is taken, all requests without one mean the same.
  let withoutQuery: Input | undefined
  return (inbound) => {
    const query = row.query ? inbound.query() : NO_QUERY
    if (row.params || row.body || query !== NO_QUERY) return check(row, inbound, query)
    withoutQuery ??= check(row, inbound, query)
    return withoutQuery
  }
}

function check(row: Row, inbound: Inbound, query: Query): Input {
  const problems: Detail[] = []
  const input: Record<string, unknown> = {}
  const take = (schema: Row['body'], value: unknown) => {
    const result = schema?.safeParse(value)
    if (result?.success) Object.assign(input, result.data)
    else if (result) problems.push(...result.error.issues.flatMap(toDetails))
  }
  take(row.params, inbound.params)
  if (row.query) take(row.query, decodeQuery(row.query, query))
  if (row.body) take(row.body, bodyOf(row, inbound))
  if (problems.length > 0) throw invalidInput(problems)
  return Object.freeze(input)
}

function bodyOf(row: Row, inbound: Inbound): unknown {
  const body = inbound.body()
  if (body !== undefined) return body
  if (row.bodyOptional) return {}
  throw new Fault('invalid_input', 'A JSON body is required. Send it with Content-Type: application/json.')
}

/** Numbers and truth values arrive as text; only their plain spelling is taken for one. */
function decodeQuery(schema: NonNullable<Row['query']>, query: Query): Record<string, unknown> {
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
  return (issue.keys ?? []).map((key) => ({
    field: path === 'body' ? key : `${path}.${key}`,
    message: 'is not a field of this request; leave it out',
  }))
}

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
