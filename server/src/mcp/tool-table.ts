import { ENDPOINTS, type EndpointName, effectOf, ROUTES } from '@stakewright/contract'
import { inputJsonSchema, type JsonSchema, replyJsonSchema } from '@stakewright/contract/json-schema'

/** A tool as `tools/list` describes it, and the endpoint that it calls. */
export type Tool = {
  readonly endpoint: EndpointName
  /** Whether an API key may come as an argument. */
  readonly takesKey: boolean
  readonly description: ToolDescription
}

type ToolDescription = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly outputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** Every tool takes it beside the fields of its endpoint. */
const DETAIL = {
  type: 'string',
  enum: ['compact', 'full'],
  default: 'compact',
  description:
    'compact cuts long lists to about 1,500 tokens and says how many items are missing; full cuts nothing.',
} as const

/** For clients that cannot change their headers. Offered where a key is worth nothing: in the sandbox. */
const API_KEY = {
  type: 'string',
  description: 'The API key, where the client cannot send it as the header X-API-Key. Sandbox keys only.',
} as const

/**
 * The served endpoints that an agent can use: all but those that need a signed-in user. Schemas are converted here,
 * once.
 */
export function toolTable(
  served: readonly EndpointName[],
  { isSandbox }: { readonly isSandbox: boolean },
): ReadonlyMap<string, Tool> {
  const tools = served.filter(isTool).map((endpoint) => {
    const takesKey = isSandbox && ROUTES[endpoint].auth === 'agent-key'
    return [toolName(endpoint), toTool(endpoint, takesKey)] as const
  })
  return new Map(tools)
}

const isTool = (name: EndpointName): boolean =>
  ROUTES[name].auth !== 'user-token' && ENDPOINTS[name].tag !== 'Users'

/** `scoredValidators` becomes `scored_validators`. */
export const toolName = (endpoint: EndpointName): string =>
  endpoint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function toTool(endpoint: EndpointName, takesKey: boolean): Tool {
  const spec = ENDPOINTS[endpoint]
  const input = inputJsonSchema(spec)
  const properties = {
    ...(input['properties'] as JsonSchema | undefined),
    ...(takesKey && { apiKey: API_KEY }),
    detail: DETAIL,
  }
  const effect = effectOf(endpoint)
  return {
    endpoint,
    takesKey,
    description: {
      name: toolName(endpoint),
      title: spec.summary,
      description: `${spec.description} ${CREDENTIAL[ROUTES[endpoint].auth]}`,
      inputSchema: { ...input, type: 'object', properties },
      outputSchema: { ...replyJsonSchema(spec, 'names and types'), type: 'object' },
      annotations: {
        title: spec.summary,
        readOnlyHint: effect === 'none',
        destructiveHint: effect === 'destroys',
        idempotentHint: effect !== 'changes',
        openWorldHint: false,
      },
    },
  }
}

const CREDENTIAL = {
  none: 'No API key needed.',
  'agent-key': 'Needs an API key and counts against its limits.',
  'user-token': '',
} as const
