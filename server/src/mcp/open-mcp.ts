import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Api } from '#api/api.ts'
import type { CallContext } from '#api/call.ts'
import { onceUnlessFailed } from '../basics/once-unless-failed.ts'
import { Fault } from '../fault.ts'
import { callTools, type McpCaller } from './call-tool.ts'
import { howToGetKey, instructionsFor } from './instructions.ts'
import { answerBatch } from './messages/answer-batch.ts'
import { CODES, type McpAnswer, methodOf, refuse, withMessages } from './messages/json-rpc.ts'
import { inPlainWords, METHODS, NO_MESSAGE, refuseMessage, withFix } from './messages/refuse-message.ts'
import { refusedCall } from './refuse-tool.ts'
import { toolTable } from './tool-table.ts'

/** One POST of an MCP client, independent of the transport. */
type McpRequest = Omit<McpCaller, 'onBadCredential'> & {
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON body; undefined: none. Throws a Fault if it is not JSON. */
  readonly body: () => unknown
  readonly signal: AbortSignal
  /** Counts one more message of a batch for its address; a Fault refuses it. */
  readonly countOne: () => Fault | undefined | Promise<Fault | undefined>
  /** Set if the request is refused as a whole. */
  readonly refusal?: Fault | undefined
}

export type Mcp = { answer(request: McpRequest): Promise<McpAnswer> }

type Needs = {
  readonly api: Api
  readonly version: string
  readonly network: string
  readonly readPage: (file: string) => string
  readonly onError: (error: Error) => void
}

/** The library needs some URL and ignores it. */
const ENDPOINT_URL = 'http://stakewright.invalid/mcp'

/** The Model Context Protocol over the API: both the 2025 revisions and 2026-07-28, without sessions. */
export function openMcp({ api, version, network, readPage, onError }: Needs): Mcp {
  const callers = new WeakMap<Request, McpCaller>()

  /** The library takes 160 ms and 33 MB, so it is loaded with the first request. */
  const open = onceUnlessFailed(async (): Promise<McpHttpHandler> => {
    const { createMcpHandler } = await import('@modelcontextprotocol/server')
    const { protocolServer } = await import('./protocol-server.ts')
    const needs = {
      name: 'stakewright',
      version,
      instructions: instructionsFor(network, isSandbox),
      tools: toolTable(api.names, { isSandbox }),
      call: callTools({
        api,
        howToGetKey: howToGetKey(isSandbox),
        keyEndpoint: isSandbox ? 'sandboxKey' : 'selfRegister',
      }),
      readPage,
    }
    return createMcpHandler(({ requestInfo }) => protocolServer(needs, callerOf(requestInfo)), {
      // An endless stream would outlive the deadline of the request.
      maxSubscriptions: 0,
      onerror: onError,
    })
  })

  const isSandbox = api.names.includes('sandboxKey')
  const checkCredential = (context: CallContext) =>
    api.checkCredential(context).catch((error: unknown) => {
      const isBad = error instanceof Fault && error.code === 'unauthorized'
      throw isBad ? withChallenge(error, isSandbox) : error
    })

  const callerOf = (request: Request | undefined): McpCaller => {
    const caller = request && callers.get(request)
    if (caller === undefined) throw new Error('the library passes on the request that it was given')
    return caller
  }

  const answerOne = async (message: unknown, { headers, signal, ...caller }: Sent): Promise<McpAnswer> => {
    const refusal = refuseMessage(message, headers)
    if (refusal) return refusal
    const handler = await open()
    const body = JSON.stringify(message)
    const request = new Request(ENDPOINT_URL, { method: 'POST', headers, body, signal })
    callers.set(request, caller)
    const response = await handler.fetch(request, { parsedBody: message })
    const contentType = response.headers.get('content-type')
    const answer = { status: response.status, contentType, body: await response.text() }
    return withMessages(answer, (one) => withFix(inPlainWords(one), message))
  }

  return {
    async answer({ headers: sent, body, signal, requestId, contextOf, countOne, refusal }) {
      const message = read(body)
      if (refusal) return refuseCall(message, refusal, requestId)
      if ('refusal' in message) return message.refusal
      const headers = { ...sent, accept: acceptOf(sent['accept']) }
      let badCredential: Fault | undefined
      const onBadCredential = (fault: Fault) => (badCredential = fault)
      const { value } = message
      if (Array.isArray(value)) {
        await checkCredential(contextOf('mcp'))
        // Each call has its own entry in the audit log beside the entry of the batch.
        const ofOne = (label: string) => ({ ...contextOf(label), audit: undefined })
        const caller = { headers, signal, requestId, contextOf: ofOne, onBadCredential }
        const needs = { headers, answerOne: (one: unknown) => answerOne(one, caller) }
        return answerBatch(value, { ...needs, countOne: async () => (await countOne())?.message })
      }
      const method = methodOf(value) ?? ''
      if (method !== 'tools/call') await checkCredential(contextOf(labelOf(method)))
      const answer = await answerOne(value, { headers, signal, requestId, contextOf, onBadCredential })
      if (badCredential !== undefined) throw withChallenge(badCredential, isSandbox)
      return answer
    },
  }
}

/** The audit log's label of a message that calls no tool. Unknown method names are not stored. */
const labelOf = (method: string): string => (METHODS.includes(method) ? `mcp:${method}` : 'mcp')

type Sent = McpCaller & Pick<McpRequest, 'headers' | 'signal'>

/** A body that is not a message gets a JSON-RPC error. */
function read(body: McpRequest['body']): { readonly value: unknown } | { readonly refusal: McpAnswer } {
  const refusal = (text: string, fix?: string) => ({
    refusal: refuse(undefined, { status: 400, code: CODES.parse, text, ...(fix && { fix }) }),
  })
  try {
    const value = body()
    return value === undefined ? refusal(`The body is empty. ${NO_MESSAGE}`, NO_MESSAGE) : { value }
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_input') return refusal(error.message, error.fix)
    throw error
  }
}

/** A refused tool call gets a tool result, which the model sees; other messages get the transport's error. */
function refuseCall(message: ReturnType<typeof read>, refusal: Fault, requestId: string): McpAnswer {
  const answer = 'value' in message && refusedCall(message.value, refusal, requestId)
  if (!answer) throw refusal
  return answer
}

const BOTH = 'application/json, text/event-stream'

/** A wildcard includes both media types of an answer, which the library requires explicitly. */
const acceptOf = (accept = '*/*'): string => (/(?:^|,)\s*\*\/\*/.test(accept) ? BOTH : accept)

/** For a refused key in a header, which can be changed only in the configuration of the client. */
function withChallenge({ code, message, fix, next, cause }: Fault, isSandbox: boolean): Fault {
  const way = `${SET_UP} ${howToGetKey(isSandbox)}`
  return new Fault(code, `${message} ${way}`, {
    cause,
    fix: fix === undefined ? way : `${fix} ${way}`,
    ...(next && { next }),
    headers: { 'www-authenticate': 'Bearer realm="stakewright", error="invalid_token"' },
  })
}

const SET_UP =
  'Correct the key where your MCP client is set up, or remove it: the client connects without one.'
