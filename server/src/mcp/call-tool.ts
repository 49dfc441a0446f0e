import type { CallToolResult } from '@modelcontextprotocol/server'
import { ENDPOINTS, type EndpointName, type EndpointSpec } from '@stakewright/contract'
import type { Answer } from '#api/answer.ts'
import { type Api, outcomeOf } from '#api/api.ts'
import type { CallContext } from '#api/call.ts'
import { credentialOf } from '#api/credentials.ts'
import { Fault } from '../fault.ts'
import { compactText } from './compact-text.ts'
import { callsAsTools } from './in-tools.ts'
import { refuseInTools } from './refuse-tool.ts'
import { type Shortened, shortenAnswer } from './shorten-answer.ts'
import type { Tool } from './tool-table.ts'

/** One request of an MCP client, as the transport knows it. */
export type McpCaller = {
  readonly requestId: string
  /** What the transport tells the API about a call that the audit log names `label`. */
  readonly contextOf: (label: string) => CallContext
  /** Called when the credential that came with the request is refused. */
  readonly onBadCredential: (fault: Fault) => void
}

type Needs = {
  readonly api: Api
  /** What a caller without a key should do, in terms of tools. */
  readonly howToGetKey: string
}

type Arguments = Readonly<Record<string, unknown>>

/** Calls the endpoint behind a tool. Refusals are results that the model reads, not protocol errors that it never sees. */
export function callTools({ api, howToGetKey }: Needs) {
  const refusal = refuseInTools(howToGetKey)
  return async (tool: Tool, given: Arguments, caller: McpCaller): Promise<CallToolResult> => {
    const { detail = 'compact', apiKey, idempotencyKey, own } = argumentsOf(tool, given)
    const refused = (fault: Fault) => refusal(fault, tool, given, caller.requestId)
    if (detail !== 'compact' && detail !== 'full') return refused(badDetail())
    if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') return refused(badName())
    const base = {
      ...caller.contextOf(`mcp:${tool.description.name}`),
      idempotencyKey,
      checksCredential: true,
    }
    const context = withKey(base, apiKey)
    const input = detail === 'full' ? own : { ...compactList(tool.endpoint, own), ...own }
    const outcome = await outcomeOf(api, tool.endpoint, { kind: 'arguments', values: input }, context)
    if (outcome.kind === 'answered')
      return success(outcome.answer, detail, wayToAll(tool.isRepeatable, idempotencyKey))
    // One that was admitted is right, whatever else is refused: a signature, say.
    const isAdmitted = base.audit?.ticket !== undefined
    if (outcome.fault.code === 'unauthorized' && !isAdmitted && hasCredential(base))
      caller.onBadCredential(outcome.fault)
    return refused(outcome.fault)
  }
}

/** What a tool takes beside the input of its endpoint; one that takes none of it has it refused as a field of its own. */
function argumentsOf({ takesKey, isRepeatable }: Tool, given: Arguments) {
  const { detail, apiKey, idempotencyKey, ...values } = given
  return {
    detail,
    ...(takesKey && { apiKey }),
    ...(isRepeatable && { idempotencyKey }),
    own: {
      ...values,
      ...(!takesKey && apiKey !== undefined && { apiKey }),
      ...(!isRepeatable && idempotencyKey !== undefined && { idempotencyKey }),
    },
  }
}

/** What a list is asked for unless the caller says otherwise: as much of its best or newest as a model reads at once. */
function compactList(endpoint: EndpointName, given: Arguments): Arguments {
  const { query, list }: EndpointSpec = ENDPOINTS[endpoint]
  if (!query || !('limit' in query.shape)) return {}
  const isWhole = !('view' in given || 'fields' in given)
  return {
    limit: COMPACT_ITEMS,
    ...(list && isWhole && 'view' in query.shape && { view: 'compact' }),
    ...(list && hasScores(list) && !('sort' in given) && { sort: 'score' }),
  }
}

const COMPACT_ITEMS = 15

const hasScores = (list: object): boolean => 'sort' in list && Object.hasOwn(Object(list.sort), 'score')

/** A key among the arguments stands in for the header; two that differ are refused like two headers. */
function withKey(context: CallContext, apiKey: unknown): CallContext {
  if (apiKey === undefined) return context
  return {
    ...context,
    credentials: () => {
      if (typeof apiKey !== 'string') throw new Fault('unauthorized', '`apiKey` must be a string.')
      const sent = credentialOf(context.credentials())
      if (sent !== undefined && sent !== apiKey) throw twoKeys()
      return { apiKey, bearer: undefined }
    },
  }
}

const twoKeys = () => {
  const fix = 'Send only one of them.'
  return new Fault('invalid_input', `The argument apiKey and the header carry different keys. ${fix}`, {
    fix,
  })
}

function hasCredential({ credentials }: CallContext): boolean {
  try {
    const { apiKey, bearer } = credentials()
    return apiKey !== undefined || bearer !== undefined
  } catch {
    return true
  }
}

function success(answer: Answer, detail: 'compact' | 'full', toGetAll: string): CallToolResult {
  if (answer.status === UNCHANGED) {
    return { content: [{ type: 'text', text: 'Unchanged.' }], structuredContent: { unchanged: true } }
  }
  const whole = toObject(callsAsTools(toObject(answer.body)))
  const {
    answer: shown,
    omitted,
    leftOut,
  }: Shortened = detail === 'full' ? { answer: whole, omitted: {} } : shortenAnswer(whole, compactText)
  const isWhole = Object.keys(omitted).length === 0
  return {
    content: [
      { type: 'text', text: `${compactText(shown)}${isWhole ? '' : hintOf(omitted, leftOut, toGetAll)}` },
    ],
    structuredContent: isWhole ? { ...shown } : { ...shown, omitted },
  }
}

/** What is missing, and how to get it. */
function hintOf(omitted: Shortened['omitted'], leftOut: Shortened['leftOut'], toGetAll: string): string {
  const missing = Object.entries(omitted).map(([name, count]) =>
    name === leftOut?.document
      ? `${name}, which says the same as ${leftOut.stays}`
      : `${count} more in ${name}`,
  )
  return `\n(not all: ${missing.join(', ')}; ${toGetAll})`
}

/** Asking again does something again, unless the request has a name. */
function wayToAll(isRepeatable: boolean, name: string | undefined): string {
  if (!isRepeatable) return 'pass detail: "full" to get everything'
  return name === undefined
    ? 'detail: "full" gets everything, but makes another one: pass idempotencyKey from the first call on'
    : 'repeat the call with the same idempotencyKey and detail: "full" to get everything'
}

const UNCHANGED = 304

/** Public answers are kept as text, ready to be sent. */
function toObject(body: unknown): { readonly [key: string]: unknown } {
  const value: unknown = typeof body === 'string' ? JSON.parse(body) : body
  return typeof value === 'object' && value !== null ? { ...value } : { value }
}

const badDetail = () => new Fault('invalid_input', '`detail` must be "compact" or "full".')

const badName = () => new Fault('invalid_input', '`idempotencyKey` must be a string.')
