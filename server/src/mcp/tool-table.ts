import { ENDPOINTS, type EndpointName, type EndpointSpec, effectOf, ROUTES } from '@stakewright/contract'
import {
  inputJsonSchema,
  type JsonSchema,
  repeatJsonSchema,
  replyJsonSchema,
  waitingJsonSchema,
} from '@stakewright/contract/json-schema'
import { schemaInTools } from './in-tools.ts'
import { withListDefaults } from './list-defaults.ts'
import { shortInput, shortOutput, tellOnce } from './short-schema.ts'
import { canBeShortened } from './shorten-answer.ts'
import { isTool, toolName, toolWords } from './tool-words.ts'

/** A tool as `tools/list` describes it, and the endpoint that it calls. */
export type Tool = {
  readonly endpoint: EndpointName
  /** Whether an API key may come as an argument. */
  readonly takesKey: boolean
  /** Whether a request may be named, so that a repeat of it does nothing. */
  readonly isRepeatable: boolean
  readonly description: ToolDescription
}

type ToolDescription = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly outputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint: boolean
  }
}

/** Every tool takes it beside the fields of its endpoint; those whose answer may be cut say so. */
const DETAIL = {
  type: 'string',
  enum: ['compact', 'full'],
  description: 'compact (the default): as many items as fit, the rest counted; full: nothing is cut.',
} as const

/** For clients that cannot change their headers. Offered where a key is worth nothing: in the sandbox. */
const API_KEY = {
  type: 'string',
  description: 'Instead of the header X-API-Key.',
} as const

/**
 * The served endpoints that an agent can use: all but those that need a signed-in user. Schemas are converted here,
 * once.
 */
export function toolTable(
  served: readonly EndpointName[],
  { isSandbox }: { readonly isSandbox: boolean },
): ReadonlyMap<string, Tool> {
  const told = new Map<string, string>()
  const tools = served.filter(isTool).map((endpoint) => {
    const takesKey = isSandbox && ROUTES[endpoint].auth === 'agent-key'
    return [toolName(endpoint), toTool(endpoint, takesKey, told)] as const
  })
  return new Map(tools)
}

function toTool(endpoint: EndpointName, takesKey: boolean, told: Map<string, string>): Tool {
  const spec: EndpointSpec = ENDPOINTS[endpoint]
  const input = shortInput(inputJsonSchema(spec))
  const idempotencyKey = repeatJsonSchema(spec)
  const output = outputOf(spec)
  const properties = {
    ...withListDefaults(endpoint, toObject(input['properties'])),
    ...(takesKey && { apiKey: API_KEY }),
    ...(idempotencyKey && { idempotencyKey: shortInput(idempotencyKey) }),
    ...(canBeShortened(toObject(output['properties'])) && { detail: DETAIL }),
  }
  const effect = effectOf(endpoint)
  return {
    endpoint,
    takesKey,
    isRepeatable: idempotencyKey !== undefined,
    description: {
      name: toolName(endpoint),
      title: spec.summary,
      description: toolWords([spec.description, CREDENTIAL[ROUTES[endpoint].auth]].join(' ').trim()),
      inputSchema: { ...input, type: 'object', properties },
      outputSchema: { ...tellOnce(output, toolName(endpoint), told), type: 'object' },
      annotations: {
        readOnlyHint: effect === 'none',
        // The others say nothing about a tool that changes nothing. What is not said to be idempotent is not.
        ...(effect !== 'none' && { destructiveHint: effect === 'destroys' }),
        ...(effect === 'destroys' && { idempotentHint: true }),
        openWorldHint: false,
      },
    },
  }
}

/** An answer in one form or the other: of neither is anything required, so the fields of both are told. */
function outputOf(spec: EndpointSpec): ToolDescription['outputSchema'] {
  const reply = shortOutput(schemaInTools(replyJsonSchema(spec, 'names and types')))
  const waiting = shortOutput(schemaInTools(waitingJsonSchema(spec) ?? {}))
  const properties = { ...toObject(waiting['properties']), ...toObject(reply['properties']) }
  return { ...reply, properties, type: 'object' }
}

const toObject = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const CREDENTIAL = { none: '', 'agent-key': 'Needs a key.', 'user-token': '' } as const

/** Everything about a tool: what `tools/list` leaves out, with a description of each field of the answer. */
export function wholeSchema(endpoint: EndpointName) {
  const spec: EndpointSpec = ENDPOINTS[endpoint]
  const input = inputJsonSchema(spec)
  const waiting = waitingJsonSchema(spec)
  const idempotencyKey = repeatJsonSchema(spec)
  const properties = { ...toObject(input['properties']), ...(idempotencyKey && { idempotencyKey }) }
  return {
    tool: toolName(endpoint),
    endpoint: `${ROUTES[endpoint].method} ${ROUTES[endpoint].path}`,
    input: { ...input, properties },
    output: schemaInTools(replyJsonSchema(spec)),
    ...(waiting && { waiting: schemaInTools(waiting) }),
  }
}
