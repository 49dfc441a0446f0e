import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  effectOf,
  inWords,
  isTool,
  ROUTES,
  toolName,
} from '@stakewright/contract'
import type { JsonSchema } from '@stakewright/contract/json-schema'
import { describeOnce, shortInput } from './short-schema.ts'
import { inputOf, outputOf } from './tool-schemas.ts'
import { TOOL_WORDS } from './tool-words.ts'

/** A tool as `tools/list` describes it, and the endpoint that it calls. */
export type Tool = {
  readonly endpoint: EndpointName
  /** Whether an API key may come as an argument. */
  readonly takesKey: boolean
  /** Whether its answer may be shortened, so that it takes `detail`. */
  readonly takesDetail: boolean
  /** Whether it takes an idempotency key. */
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

/** The tools of the served endpoints. Schemas are converted here, once. */
export function toolTable(
  served: readonly EndpointName[],
  { isSandbox }: { readonly isSandbox: boolean },
): ReadonlyMap<string, Tool> {
  const described = new Map<string, string>()
  const tools = served.filter(isTool).map((endpoint) => {
    const takesKey = isSandbox && !hasKeyOfItsOwn(endpoint)
    return [toolName(endpoint), toTool(endpoint, takesKey, described)] as const
  })
  return new Map(tools)
}

/** Whether `apiKey` is an input of the endpoint itself: a leaked key. */
function hasKeyOfItsOwn(endpoint: EndpointName): boolean {
  const { body }: EndpointSpec = ENDPOINTS[endpoint]
  return body !== undefined && 'apiKey' in body.shape
}

function toTool(endpoint: EndpointName, takesKey: boolean, described: Map<string, string>): Tool {
  const spec: EndpointSpec = ENDPOINTS[endpoint]
  const effect = effectOf(endpoint)
  const name = toolName(endpoint)
  const input = inputOf(endpoint, takesKey)
  return {
    endpoint,
    takesKey,
    takesDetail: 'detail' in Object(input['properties']),
    isRepeatable: spec.isRepeatable === true,
    description: {
      name,
      title: spec.summary,
      description: inWords(
        [spec.description, CREDENTIAL[ROUTES[endpoint].auth]].join(' ').trim(),
        TOOL_WORDS,
      ),
      inputSchema: { ...shortInput(input), type: 'object' },
      outputSchema: { ...describeOnce(outputOf(spec), name, described), type: 'object' },
      annotations: {
        readOnlyHint: effect === 'none',
        // The other hints do not apply to read-only tools. `idempotentHint` defaults to false.
        ...(effect !== 'none' && { destructiveHint: effect === 'destroys' }),
        ...(effect === 'destroys' && { idempotentHint: true }),
        openWorldHint: false,
      },
    },
  }
}

const CREDENTIAL = { none: '', 'agent-key': 'Needs a key.', 'user-token': '' } as const
