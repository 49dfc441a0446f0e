import type { CallToolResult } from '@modelcontextprotocol/server'
import { type EndpointName, effectOf } from '@stakewright/contract'
import { type Api, outcomeOf } from '#api/api.ts'
import type { CallContext } from '#api/call.ts'
import { Fault } from '../fault.ts'
import { showAnswer } from './answers/show-answer.ts'
import { listDefaults } from './list-defaults.ts'
import { type Keys, refuseInTools } from './refuse-tool.ts'
import type { Tool } from './tool-table.ts'

/** One request of an MCP client, as the transport knows it. */
export type McpCaller = {
  readonly requestId: string
  /** What the transport tells the API about a call that the audit log names `label`. */
  readonly contextOf: (label: string) => CallContext
  /** Called when the credential that came with the request is refused. */
  readonly onBadCredential: (fault: Fault) => void
}

type Needs = Keys & {
  readonly api: Api
}

type Arguments = Readonly<Record<string, unknown>>

/** By these a caller whose key does not work gets another one, so they do not ask for it. */
const LEADS_TO_KEY: ReadonlySet<EndpointName> = new Set([
  'sandboxKey',
  'walletChallenge',
  'selfRegister',
  'verifyEmail',
  'resendVerification',
])

/** Calls the endpoint behind a tool. Refusals are results that the model reads, not protocol errors that it never sees. */
export function callTools({ api, ...keys }: Needs) {
  const refusal = refuseInTools(keys)
  return async (tool: Tool, given: Arguments, caller: McpCaller): Promise<CallToolResult> => {
    const { detail = 'compact', apiKey, idempotencyKey, own } = argumentsOf(tool, given)
    const refused = (fault: Fault) => refusal(fault, tool, given, caller.requestId)
    if (detail !== 'compact' && detail !== 'full') return refused(badDetail())
    if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') return refused(badName())
    const base = {
      ...caller.contextOf(`mcp:${tool.description.name}`),
      // Headers of the request are about the request, and not about what a tool answers.
      ifNoneMatch: undefined,
      ifMatch: undefined,
      idempotencyKey,
      checksCredential: !LEADS_TO_KEY.has(tool.endpoint),
    }
    const context = withKey(base, apiKey)
    const input = { ...listDefaults(tool.endpoint, own, detail), ...own }
    const outcome = await outcomeOf(api, tool.endpoint, { kind: 'arguments', values: input }, context)
    if (outcome.kind === 'answered')
      return showAnswer(outcome.answer, { tool, input, detail, idempotencyKey })
    // One that was admitted is right, whatever else is refused: a signature, say.
    const isAdmitted = base.audit?.ticket !== undefined
    const isOfTransport = apiKey === undefined && hasCredential(base)
    if (outcome.fault.code === 'unauthorized' && !isAdmitted && isOfTransport)
      caller.onBadCredential(outcome.fault)
    return refused(outcome.fault)
  }
}

/** What a tool takes beside the input of its endpoint; one that takes none of it has it refused as a field of its own. */
function argumentsOf({ endpoint, takesKey, isRepeatable, takesDetail }: Tool, given: Arguments) {
  const { detail, apiKey, idempotencyKey, ...values } = given
  // Where it is not taken, the endpoint says where it is.
  const isNamed = isRepeatable || effectOf(endpoint) !== 'none'
  return {
    ...(takesDetail && { detail }),
    ...(takesKey && { apiKey }),
    ...(isNamed && { idempotencyKey }),
    own: {
      ...values,
      ...(!takesDetail && detail !== undefined && { detail }),
      ...(!takesKey && apiKey !== undefined && { apiKey }),
      ...(!isNamed && idempotencyKey !== undefined && { idempotencyKey }),
    },
  }
}

/** A key among the arguments is the only one of the call: that of the transport is neither read nor charged. */
function withKey(context: CallContext, apiKey: unknown): CallContext {
  if (apiKey === undefined) return context
  return {
    ...context,
    credentials: () => {
      if (typeof apiKey !== 'string') throw new Fault('unauthorized', '`apiKey` must be a string.')
      return { apiKey, bearer: undefined }
    },
  }
}

function hasCredential({ credentials }: CallContext): boolean {
  try {
    const { apiKey, bearer } = credentials()
    return apiKey !== undefined || bearer !== undefined
  } catch {
    return true
  }
}

const badDetail = () => new Fault('invalid_input', '`detail` must be "compact" or "full".')

const badName = () => new Fault('invalid_input', '`idempotencyKey` must be a string.')
