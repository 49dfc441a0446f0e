import type { ErrorResponse } from './error-response.ts'
import { MCP_PATH } from './serve-mcp.ts'

type Head = { readonly method?: string | undefined; readonly url?: string | undefined }

/** Whether a request carries a message of MCP, whose clients read errors of JSON-RPC. */
export function isMessage({ method, url = '' }: Head): boolean {
  return method === 'POST' && (url === MCP_PATH || url.startsWith(`${MCP_PATH}?`))
}

/** The same refusal as an error of JSON-RPC, which has the body of the API as its data. The message has not been read. */
export function asJsonRpc({ body, ...response }: ErrorResponse) {
  const error = { code: codeOf(body.status), message: body.message, data: body }
  return { ...response, body: { jsonrpc: '2.0', id: null, error } }
}

const [INVALID_REQUEST, INTERNAL, SERVER] = [-32_600, -32_603, -32_000]

function codeOf(status: number): number {
  if (status === 400) return INVALID_REQUEST
  return status === 500 ? INTERNAL : SERVER
}
