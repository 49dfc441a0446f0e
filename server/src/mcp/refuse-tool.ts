import type { CallToolResult } from '@modelcontextprotocol/server'
import { type EndpointName, nearestName, ROUTES, toolName } from '@stakewright/contract'
import type { KeyIssuingEndpoint } from '#api/endpoint.ts'
import type { Fault } from '../fault.ts'
import { shownName } from '../secrets/shown-name.ts'
import { compactText } from './answers/compact-text.ts'
import { estimateTokens } from './answers/estimate-tokens.ts'
import { MAX_TOKENS } from './answers/shorten-answer.ts'
import { toObject } from './fields.ts'
import { errorInTools } from './in-tools.ts'
import { type McpAnswer, methodOf, toAnswer } from './messages/json-rpc.ts'
import { ENVELOPE } from './messages/refuse-message.ts'
import type { Tool } from './tool-table.ts'
import { TOOL_WORDS } from './tool-words.ts'

/** For tools that accept the key as an argument, so that the client's configuration need not change. */
const WITH_ARGUMENT = { ...TOOL_WORDS, sendKey: 'Pass it as the argument apiKey' }

/** A refusal as a tool result: the problem, its fix and the tool to call next. */
export const refuseInTools =
  ({ howToGetKey, keyEndpoint }: Keys) =>
  (fault: Fault, tool: Tool, given: object, requestId: string): CallToolResult => {
    const body = errorInTools(fault, requestId, tool.takesKey ? WITH_ARGUMENT : TOOL_WORDS)
    const isWrongInput = fault.code === 'invalid_input' && body.next === undefined
    const complete = isWrongInput ? { ...body, next: { tool: tool.description.name } } : body
    const text = refusalText(complete)
    const misnamed = fault.code === 'unauthorized' ? misnamedKey(tool, given) : ''
    const isForKey = fault.code === 'unauthorized' || fault.next?.endpoint === keyEndpoint
    const advice = isForKey ? `\n${misnamed}${howToGetKey}` : ''
    return { isError: true, content: [{ type: 'text', text: `${text}${advice}` }] }
  }

/**
 * The same for a call that is refused before its tool is looked up, without the library, so it is cheap. Undefined:
 * the message is not a tool call with an id.
 */
export function refusedCall(message: unknown, refused: Fault, requestId: string): McpAnswer | undefined {
  const { id, params } = toObject(message)
  const isAnswerable = typeof id === 'string' || typeof id === 'number'
  if (methodOf(message) !== 'tools/call' || !isAnswerable) return undefined
  const text = refusalText(errorInTools(refused, requestId))
  const result = { isError: true, content: [{ type: 'text', text }] }
  const isModern = ENVELOPE in toObject(toObject(params)['_meta'])
  return toAnswer({ jsonrpc: '2.0', id, result: isModern ? { resultType: 'complete', ...result } : result })
}

/** The refusal with as many details as fit into the token limit; a batch may have one for each rule and item. */
function refusalText(body: ReturnType<typeof errorInTools>): string {
  const { details = [] } = body
  for (let shown = details.length; ; shown = Math.floor(shown / 2)) {
    const omitted = shown < details.length && { omitted: { details: details.length - shown } }
    const short = { ...body, ...(body.details && { details: details.slice(0, shown) }), ...omitted }
    const text = compactText(short, 'written')
    if (shown <= 1 || estimateTokens(text) <= MAX_TOKENS) return text
  }
}

export type Keys = {
  /** What a caller without a key should do, in terms of tools. */
  readonly howToGetKey: string
  readonly keyEndpoint: KeyIssuingEndpoint
}

/** Advice for a caller who sent the key under another name. */
function misnamedKey({ takesKey }: Tool, given: object): string {
  const names = Object.keys(given).filter((name) => name !== 'apiKey')
  const wrong = takesKey ? names.find((name) => nearestName(name, ['apiKey']) ?? KEYS.test(name)) : undefined
  return wrong === undefined ? '' : `Use \`apiKey\` instead of \`${shownName(wrong)}\`. `
}

const KEYS = /^(?:key|token|x[_-]?api[_-]?key|authorization)$/i

/** The error for an unknown tool, with the closest names. */
export function noSuchTool(name: string, tools: readonly string[]): readonly [message: string, fix: string] {
  const wanted = shownName(name)
  const word = wanted.toLowerCase()
  const endpoint = USER_ENDPOINTS.find((one) => word === toolName(one))
  if (endpoint) {
    const { method, path } = ROUTES[endpoint]
    return [
      `${wanted} is no tool: it needs a user token.`,
      `Call ${method} ${path} by REST, or use the command line.`,
    ]
  }
  const near = nearestName(wanted, tools)
  const alike = near ? [near] : tools.filter((tool) => tool.split('_').includes(word)).slice(0, MAX_NAMED)
  const fix = alike.length > 0 ? `Did you mean ${alike.join(' or ')}? Call tools/list.` : 'Call tools/list.'
  return [`There is no tool called "${wanted}".`, fix]
}

const USER_ENDPOINTS = (Object.keys(ROUTES) as EndpointName[]).filter(
  (name) => ROUTES[name].auth === 'user-token',
)

const MAX_NAMED = 3
