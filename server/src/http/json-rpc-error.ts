import { toFault } from '#api/error-body.ts'
import type { Fault } from '../fault.ts'
import { toErrorResponse } from './error-response.ts'

export const MCP_PATH = '/mcp'

type Head = { readonly method?: string | undefined; readonly url?: string | undefined }

/** Whether a request carries a message of MCP, whose clients read errors of JSON-RPC. */
export function isMessage({ method, url = '' }: Head): boolean {
  return method === 'POST' && (url === MCP_PATH || url.startsWith(`${MCP_PATH}?`))
}

/** What is told of a fault in terms of tools. */
type InTools = (fault: Fault, requestId: string) => { readonly message: string }

/** A refusal as an error of JSON-RPC, which answers `message`, as far as that was read. */
export type AsJsonRpc = ReturnType<typeof jsonRpcErrors>

/** The data of such an error is the body of the API, in terms of tools. */
export const jsonRpcErrors =
  (inTools: InTools) => (thrown: unknown, requestId: string, message?: unknown) => {
    const fault = toFault(thrown)
    const response = toErrorResponse(fault, requestId)
    const data = { ...inTools(fault, requestId), status: response.status }
    const error = { code: codeOf(response.status), message: data.message, data }
    return { ...response, body: { jsonrpc: '2.0', id: idOf(message), error } }
  }

function idOf(message: unknown): string | number | null {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : null
}

const [INVALID_REQUEST, INTERNAL, SERVER] = [-32_600, -32_603, -32_000]

function codeOf(status: number): number {
  if (status === 400) return INVALID_REQUEST
  return status === 500 ? INTERNAL : SERVER
}
