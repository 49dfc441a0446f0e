import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Api } from '#api/api.ts'
import type { CallContext } from '#api/call.ts'
import { extendFault, Fault } from '../fault.ts'
import { callTools, type McpCaller } from './call-tool.ts'
import { howToGetKey, instructionsFor } from './instructions.ts'
import { methodOf, refuseMessage } from './refuse-message.ts'
import { toolTable } from './tool-table.ts'

/** One POST of an MCP client, free of its transport. */
export type McpRequest = Omit<McpCaller, 'onBadCredential'> & {
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON body. */
  readonly body: unknown
  readonly signal: AbortSignal
}

export type McpAnswer = {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

export type Mcp = { answer(request: McpRequest): Promise<McpAnswer> }

type Needs = {
  readonly api: Api
  readonly version: string
  readonly network: string
  readonly readPage: (file: string) => string
  readonly onError: (error: Error) => void
}

/** The server is asked by URL, but only the path matters to the library, and not even that much. */
const ENDPOINT_URL = 'http://stakewright.invalid/mcp'

/** The Model Context Protocol over the API: both the 2025 revisions and 2026-07-28, without sessions. */
export function openMcp({ api, version, network, readPage, onError }: Needs): Mcp {
  const callers = new WeakMap<Request, McpCaller>()
  let opening: Promise<McpHttpHandler> | undefined

  /** The library takes 160 ms and 33 MB, so it is loaded with the first request. */
  const open = async (): Promise<McpHttpHandler> => {
    const { createMcpHandler } = await import('@modelcontextprotocol/server')
    const { protocolServer } = await import('./protocol-server.ts')
    const isSandbox = api.names.includes('sandboxKey')
    const needs = {
      name: 'stakewright',
      version,
      instructions: instructionsFor(network, isSandbox),
      tools: toolTable(api.names, { isSandbox }),
      call: callTools({ api, howToGetKey: howToGetKey(isSandbox) }),
      readPage,
    }
    return createMcpHandler(({ requestInfo }) => protocolServer(needs, callerOf(requestInfo)), {
      // A stream without end would outlive the deadline that every request has.
      maxSubscriptions: 0,
      onerror: onError,
    })
  }

  const checkCredential = (context: CallContext) =>
    api.checkCredential(context).catch((error: unknown) => {
      throw error instanceof Fault && error.code === 'unauthorized' ? withChallenge(error) : error
    })

  const callerOf = (request: Request | undefined): McpCaller => {
    const caller = request && callers.get(request)
    if (caller === undefined) throw new Error('the library passes on the request that it was given')
    return caller
  }

  return {
    async answer({ headers, body, signal, requestId, contextOf }) {
      refuseBatch(body)
      const refusal = refuseMessage(body, headers)
      if (refusal) return refusal
      if (methodOf(body) !== 'tools/call') await checkCredential(contextOf('mcp'))
      opening ??= open()
      const handler = await opening
      let badCredential: Fault | undefined
      const request = new Request(ENDPOINT_URL, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal,
      })
      callers.set(request, { requestId, contextOf, onBadCredential: (fault) => (badCredential = fault) })
      const response = await handler.fetch(request, { parsedBody: body })
      const text = await response.text()
      if (badCredential !== undefined) throw withChallenge(badCredential)
      return { status: response.status, contentType: response.headers.get('content-type'), body: text }
    },
  }
}

/** One message per request: a batch would pass the limit per address as a single request. */
function refuseBatch(body: unknown): void {
  if (!Array.isArray(body)) return
  throw new Fault('invalid_input', 'Send one JSON-RPC message per request; batches are not served.')
}

const withChallenge = (fault: Fault): Fault =>
  extendFault(fault, {
    headers: { 'www-authenticate': 'Bearer realm="stakewright", error="invalid_token"' },
  })
