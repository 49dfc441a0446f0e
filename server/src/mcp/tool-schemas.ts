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
import { toObject } from './fields.ts'
import { schemaInTools } from './in-tools.ts'
import { withListDefaults } from './list-defaults.ts'
import { shortOutput } from './short-schema.ts'

/** Input and output of a tool: the endpoint's schemas plus what MCP adds. */

/** An extra argument of tools whose answer may be shortened. */
const DETAIL = { type: 'string', enum: ['compact', 'full'], description: 'full: uncut.' } as const

/** A caller who builds many actions should ask for the full answer in the first call. */
const detailOf = (fields: JsonSchema): JsonSchema =>
  documentFields(fields).length === 0
    ? DETAIL
    : { ...DETAIL, description: 'full: uncut, long transactions too.' }

/**
 * For clients that cannot set headers. Only in the sandbox, whose keys are worthless, and there in every tool, so
 * that it can be sent with every call.
 */
const API_KEY = { type: 'string', description: 'From sandbox_key.' } as const

/** The endpoint's input plus the arguments of MCP. */
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

/** The fields of both forms of the answer, none of them required. */
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

/** Whether the endpoint supports conditional requests by `hash`. */
const hasVersion = ({ query }: EndpointSpec): boolean => query !== undefined && 'hash' in query.shape

type WithKey = { readonly endpoint: EndpointName; readonly takesKey: boolean }

/** The complete schemas of a tool, with a description of each field. */
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

/** The endpoint's reply schema, extended by the fields of compact answers. */
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
