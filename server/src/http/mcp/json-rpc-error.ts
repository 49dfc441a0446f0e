import { toFault } from '#api/error-body.ts'
import { errorInTools } from '#mcp/in-tools.ts'
import { CODES } from '#mcp/messages/json-rpc.ts'
import type { OtherError } from '../edge.ts'
import { toErrorResponse } from '../error-response.ts'
import { isMessage } from './route.ts'

/**
 * A refusal as a JSON-RPC error, with the id of `message` if that could be read. Its data is the API's error body in
 * terms of tools.
 */
export function asJsonRpc(thrown: unknown, requestId: string, message?: unknown) {
  const fault = toFault(thrown)
  const response = toErrorResponse(fault, requestId)
  const data = { ...errorInTools(fault, requestId), status: response.status }
  const error = { code: codeOf(response.status), message: data.message, data }
  return { ...response, body: { jsonrpc: '2.0', id: idOf(message), error } }
}

/** For errors from outside the handler of messages, such as the deadline. */
export const errorOfMessage: OtherError = (request, error, requestId) =>
  isMessage(request) ? asJsonRpc(error, requestId) : undefined

function idOf(message: unknown): string | number | null {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : null
}

function codeOf(status: number): number {
  if (status === 400) return CODES.request
  return status === 500 ? CODES.internal : CODES.server
}
