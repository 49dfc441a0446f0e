import { ENDPOINTS, type EndpointName, type EndpointSpec, ROUTES, toolName } from '@stakewright/contract'
import {
  inputJsonSchema,
  type JsonSchema,
  repeatJsonSchema,
  replyJsonSchema,
  waitingJsonSchema,
} from '@stakewright/contract/json-schema'
import { documentFields } from './answers/documents.ts'
import { canBeShortened } from './answers/shorten-answer.ts'
import { schemaInTools } from './in-tools.ts'
import { withListDefaults } from './list-defaults.ts'
import { shortOutput } from './short-schema.ts'

/** What a tool takes and answers: the endpoint's own schemas, with what MCP adds to them. */

/** Taken beside the fields of the endpoint where the answer may be cut. */
const DETAIL = { type: 'string', enum: ['compact', 'full'], description: 'full: uncut.' } as const

/** Whoever builds many actions at once asks for the whole answer from the first call on. */
const detailOf = (fields: JsonSchema): JsonSchema =>
  documentFields(fields).length === 0
    ? DETAIL
    : { ...DETAIL, description: 'full: uncut, long transactions too.' }

/**
 * For clients that cannot change their headers. Offered where a key is worth nothing: in the sandbox, and there by
 * every tool, so that whoever sends it with every call is not refused.
 */
const API_KEY = { type: 'string', description: 'From sandbox_key.' } as const

/** The input of the endpoint, as a tool takes it, and what it takes beside it. */
export function inputOf(endpoint: EndpointName, takesKey: boolean): JsonSchema {
  const spec: EndpointSpec = ENDPOINTS[endpoint]
  const input = schemaInTools(inputJsonSchema(spec))
  const idempotencyKey = repeatJsonSchema(spec)
  const fields = toObject(toObject(replyJsonSchema(spec))['properties'])
  const properties = {
    ...withListDefaults(endpoint, toObject(input['properties'])),
    ...(takesKey && { apiKey: API_KEY }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(canBeShortened(fields) && { detail: detailOf(fields) }),
  }
  return { ...input, properties }
}

/** An answer in one form or the other: of neither is anything required, so the fields of both are told. */
export function outputOf(spec: EndpointSpec): JsonSchema {
  const reply = shortOutput(schemaInTools(replyJsonSchema(spec, 'names and types')))
  const waiting = shortOutput(schemaInTools(waitingJsonSchema(spec) ?? {}))
  const fields = toObject(reply['properties'])
  const properties = {
    ...toObject(waiting['properties']),
    ...fields,
    ...(canBeShortened(fields) && { omitted: { type: 'object' } }),
    ...(hasVersion(spec) && { unchanged: { type: 'boolean' } }),
  }
  return { ...reply, properties }
}

/** Whether a caller may name the version that it has, to hear that it is still the newest. */
const hasVersion = ({ query }: EndpointSpec): boolean => query !== undefined && 'hash' in query.shape

type WithKey = { readonly endpoint: EndpointName; readonly takesKey: boolean }

/** Everything about a tool: what `tools/list` leaves out, with a description of each field of the answer. */
export function wholeSchema({ endpoint, takesKey }: WithKey) {
  const spec: EndpointSpec = ENDPOINTS[endpoint]
  const waiting = waitingJsonSchema(spec)
  const forms = [
    wholeReply(spec),
    ...(waiting ? [{ ...schemaInTools(waiting), title: 'When the owner has to approve it first' }] : []),
    ...(hasVersion(spec) ? [UNCHANGED] : []),
  ]
  return {
    tool: toolName(endpoint),
    endpoint: `${ROUTES[endpoint].method} ${ROUTES[endpoint].path}`,
    input: inputOf(endpoint, takesKey),
    output: forms.length === 1 ? forms[0] : { type: 'object', anyOf: forms },
  }
}

const UNCHANGED = {
  title: 'When nothing but the version in `hash` is there',
  type: 'object',
  properties: { unchanged: { const: true, description: 'What you have is the newest version.' } },
  required: ['unchanged'],
} as const

/** The answer of the endpoint, with what a compact one lacks and says. */
function wholeReply(spec: EndpointSpec): JsonSchema {
  const reply = schemaInTools(replyJsonSchema(spec))
  const fields = toObject(reply['properties'])
  if (!canBeShortened(fields)) return reply
  const { required } = reply
  const missing = documentFields(fields)
  return {
    ...reply,
    properties: { ...fields, omitted: OMITTED },
    ...(Array.isArray(required) && { required: required.filter((name) => !missing.includes(name)) }),
  }
}

const OMITTED = {
  type: 'object',
  additionalProperties: { type: ['integer', 'string'] },
  description:
    'Compact answers: how many items of each list are missing, by the name of the list: the last ones, or of a history the oldest; 1 of a field that is left out, such as `transaction`; what missing items add to a sum, as in `allocations.amount`. Sums, means and counts beside a list are of all its items.',
} as const

const toObject = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? { ...value } : {}
