import type { CallToolResult } from '@modelcontextprotocol/server'
import { type EndpointName, effectOf } from '@stakewright/contract'
import { type Api, outcomeOf } from '#api/api.ts'
import type { CallContext } from '#api/call.ts'
import { Fault, wrongField } from '../fault.ts'
import { withWholeIds } from './answers/short-ids.ts'
import { showAnswer } from './answers/show-answer.ts'
import { listDefaults } from './list-defaults.ts'
import { type Keys, refuseInTools } from './refuse-tool.ts'
import type { Tool } from './tool-table.ts'

/** One request of an MCP client, as the transport knows it. */
export type McpCaller = {
  readonly requestId: string
  /** The API's context of a call with this label in the audit log. */
  readonly contextOf: (label: string) => CallContext
  /** Called when the credential that came with the request is refused. */
  readonly onBadCredential: (fault: Fault) => void
}

type Needs = Keys & {
  readonly api: Api
}

type Arguments = Readonly<Record<string, unknown>>

/** Tools for getting a key. They ignore the key of the request, which may be invalid. */
const LEADS_TO_KEY: ReadonlySet<EndpointName> = new Set([
  'sandboxKey',
  'walletChallenge',
  'selfRegister',
  'verifyEmail',
  'resendVerification',
])

/** Calls the endpoint of a tool. Refusals are tool results, because models do not see protocol errors. */
export function callTools({ api, ...keys }: Needs) {
  const refuse = refuseInTools(keys)
  return async (tool: Tool, given: Arguments, caller: McpCaller): Promise<CallToolResult> => {
    const { detail = 'compact', apiKey, idempotencyKey, own } = argumentsOf(tool, given)
    const refused = (fault: Fault) => refuse(fault, tool, given, caller.requestId)
    if (detail !== 'compact' && detail !== 'full') return refused(badDetail())
    if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
      return refused(badIdempotencyKey())
    const base = {
      ...caller.contextOf(`mcp:${tool.description.name}`),
      idempotencyKey,
      checksCredential: !LEADS_TO_KEY.has(tool.endpoint),
    }
    const context = withKey(base, apiKey)
    const input = { ...listDefaults(tool.endpoint, own, detail), ...withWholeIds(own) }
    const outcome = await outcomeOf(api, tool.endpoint, { kind: 'arguments', values: input }, context)
    if (outcome.kind === 'answered') {
      const shown = showAnswer(outcome.answer, { tool, input, detail, idempotencyKey })
      return isAborted(tool.endpoint, shown) ? { ...shown, isError: true } : shown
    }
    // An admitted credential is valid, even if something else is refused, such as a signature.
    const isAdmitted = base.audit?.ticket !== undefined
    const isOfTransport = apiKey === undefined && hasCredential(base)
    if (outcome.fault.code === 'unauthorized' && !isAdmitted && isOfTransport)
      caller.onBadCredential(outcome.fault)
    return refused(outcome.fault)
  }
}

/** An aborted transaction is marked as an error, because many clients look only at `isError`. */
const isAborted = (endpoint: EndpointName, { structuredContent }: CallToolResult): boolean =>
  endpoint === 'sandboxExecute' && Object(structuredContent).status === 'aborted'

/**
 * The arguments of MCP itself. A tool that does not take them refuses them as unknown fields. Null counts as left out,
 * but not as an idempotency key: the caller would believe that a repeat has no effect.
 */
function argumentsOf({ endpoint, takesKey, isRepeatable, takesDetail }: Tool, given: Arguments) {
  const { detail, apiKey, idempotencyKey, ...values } = given
  // Passed on for other calls with effects, too: the endpoint refuses it and says where it is accepted.
  const passesIdempotencyKey = isRepeatable || effectOf(endpoint) !== 'none'
  return {
    ...(takesDetail && { detail: detail ?? undefined }),
    ...(takesKey && { apiKey: apiKey ?? undefined }),
    ...(passesIdempotencyKey && { idempotencyKey }),
    own: {
      ...values,
      ...(!takesDetail && detail !== undefined && { detail }),
      ...(!takesKey && apiKey !== undefined && { apiKey }),
      ...(!passesIdempotencyKey && idempotencyKey !== undefined && { idempotencyKey }),
    },
  }
}

/** A key in the arguments replaces that of the transport, which is neither read nor charged. */
function withKey(context: CallContext, apiKey: unknown): CallContext {
  if (apiKey === undefined) return context
  return {
    ...context,
    credentials: () => {
      if (typeof apiKey !== 'string')
        throw new Fault('unauthorized', '`apiKey` must be a string.', { fix: 'Send `apiKey` as a string.' })
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

const badDetail = () =>
  wrongField('detail', 'must be "compact" or "full"', { fix: 'Send "compact" or "full" as `detail`.' })

const badIdempotencyKey = () => wrongField('idempotencyKey', 'must be a string')
