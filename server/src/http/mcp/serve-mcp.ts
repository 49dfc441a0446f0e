import { type AddressBudget, isTool, ROUTES, toolName } from '@stakewright/contract'
import { isEndpoint } from '@stakewright/contract/routes'
import { addressBudgetOf } from '#api/address-budget.ts'
import { statusOf, toFault } from '#api/error-body.ts'
import type { Mcp } from '#mcp/open-mcp.ts'
import { Fault } from '../../fault.ts'
import { shownName } from '../../secrets/shown-name.ts'
import { toAuditEntry } from '../audit-locals.ts'
import type { Guard } from '../guard/guard.ts'
import type { RequestHead } from '../guard/request-head.ts'
import { toCallContext } from '../serve-api.ts'
import type { HttpRequest } from '../wire/request.ts'
import type { HttpResponse } from '../wire/response.ts'
import type { HttpServer } from '../wire/server.ts'
import type { DeferredRefusal } from './defer-refusals.ts'
import { asJsonRpc } from './json-rpc-error.ts'
import { MCP_ROUTE } from './route.ts'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly mcp: Mcp
  /** Whether a page of this origin may use the service. */
  readonly isOwnOrigin: (origin: string) => boolean
  /**
   * Counts each message of a batch like a request of its address, and a tool call beyond the limit of its address for
   * the budget of its endpoint.
   */
  readonly guard: Pick<Guard, 'countMore'>
  readonly refusalOf: DeferredRefusal
}

/** The request headers that MCP uses. */
const PROTOCOL_HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'idempotency-key',
] as const

/** Serves the Model Context Protocol at `POST /mcp`. */
export function serveMcp({ serve, mcp, isOwnOrigin, guard, refusalOf }: Needs): void {
  const respond = async (request: HttpRequest): Promise<HttpResponse> => {
    const refusal = await noteRefusal(request, refusalOf, guard)
    if (refusal === undefined) {
      refuseForeignPage(request, isOwnOrigin)
      refuseQuery(request)
    }
    const { status, contentType, body } = await mcp.answer({
      requestId: request.requestId,
      headers: protocolHeaders(request),
      // Models write amounts as numbers. Those too large for a float become Infinity, so that the input check refuses
      // them with the name of the field.
      body: () => request.body('infinite'),
      countOne: () => guard.countMore(request.client, toRequestHead(request)),
      signal: request.signal(),
      contextOf: (label) => ({ ...toCallContext(request), label, via: 'mcp' }),
      refusal,
    })
    const hasBody = body.length > 0
    return {
      status,
      ...(hasBody && { body, headers: { 'content-type': contentType ?? 'application/json' } }),
    }
  }
  serve({ ...MCP_ROUTE, auth: 'agent-key' }, async (request) => {
    try {
      return await respond(request)
    } catch (error) {
      const fault = toFault(error)
      // Internal errors are logged with their cause by the error handler.
      if (statusOf(fault) >= 500) throw error
      return asJsonRpc(fault, request.requestId, messageIn(request))
    }
  })
}

/** Sets the refusal's status in the audit entry, because the answer that carries it may have another one. */
async function noteRefusal(
  request: HttpRequest,
  refusalOf: DeferredRefusal,
  { countMore }: Needs['guard'],
): Promise<Fault | undefined> {
  const deferred = refusalOf(request.locals)
  if (deferred === undefined) return undefined
  const budget = budgetOfTool(messageIn(request))
  const refusal = budget ? await countMore(request.client, toRequestHead(request), budget) : deferred
  const entry = toAuditEntry(request.locals)
  if (refusal && entry) entry.status = statusOf(refusal)
  return refusal
}

const BUDGETS: ReadonlyMap<unknown, AddressBudget | undefined> = new Map(
  Object.keys(ROUTES)
    .filter(isEndpoint)
    .filter(isTool)
    .map((name) => [toolName(name), addressBudgetOf(name)]),
)

/** The budget of the tool that a message calls, if that is not the ordinary one. */
function budgetOfTool(message: unknown): AddressBudget | undefined {
  const { method, params } = Object(message)
  return method === 'tools/call' ? BUDGETS.get(Object(params).name) : undefined
}

/** The message, or undefined when the body is not valid JSON. */
function messageIn(request: HttpRequest): unknown {
  try {
    return request.body('infinite')
  } catch {
    return undefined
  }
}

/**
 * Against DNS rebinding: a page whose name resolves to this address could otherwise reach a service behind a
 * firewall.
 */
function refuseForeignPage(request: HttpRequest, isOwnOrigin: Needs['isOwnOrigin']): void {
  const origin = request.header('origin')
  if (origin === undefined || isOwnOrigin(origin)) return
  const fix =
    'Call it from a program, from a page of the same origin as PUBLIC_URL or one in CORS_ORIGINS, or from a page on your own machine (localhost).'
  throw new Fault('forbidden', `Pages of this origin may not use the service. ${fix}`, { fix })
}

/** A key in a URL ends up in logs, so it is refused; ignoring it would leave the caller without an explanation. */
function refuseQuery(request: HttpRequest): void {
  const [name] = Object.keys(request.query())
  if (name === undefined) return
  const fix = 'Leave out everything behind the ?, and send an API key as the header X-API-Key.'
  throw new Fault('invalid_input', `Nothing is read from the URL, and a key never belongs there. ${fix}`, {
    fix,
    details: [{ field: shownName(name), message: 'is not read from the URL' }],
  })
}

function toRequestHead({ method, header }: HttpRequest): RequestHead {
  const [key, authorization] = [header('x-api-key'), header('authorization')]
  const headers = { ...(key && { 'x-api-key': key }), ...(authorization && { authorization }) }
  return { method, url: MCP_ROUTE.path, headers }
}

function protocolHeaders(request: HttpRequest): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of PROTOCOL_HEADERS) {
    const value = request.header(name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}
