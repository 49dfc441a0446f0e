import { toObject } from '../fields.ts'

/** The parts of JSON-RPC that the transport needs. */

/** The answer to one POST. */
export type McpAnswer = {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

export const CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  /** Server-defined errors, such as a used-up limit. */
  server: -32_000,
  headers: -32_020,
  version: -32_022,
} as const

type Refusal = {
  readonly status?: number
  readonly code: number
  /** The problem and its fix. */
  readonly text: string
  /** The fix alone, if the text says more. */
  readonly fix?: string
  readonly data?: object
}

/** The error response to a message; null id if the message cannot be parsed. */
export function refusalOf(message: unknown, { code, text, fix = text, data }: Refusal): object {
  const { id } = toObject(message)
  const isId = typeof id === 'string' || typeof id === 'number'
  const error = { code, message: text, data: { ...data, fix } }
  return { jsonrpc: '2.0', id: isId ? id : null, error }
}

export const refuse = (message: unknown, refusal: Refusal): McpAnswer =>
  toAnswer(refusalOf(message, refusal), refusal.status ?? 200)

export const toAnswer = (body: unknown, status = 200): McpAnswer => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

export function methodOf(message: unknown): string | undefined {
  const { method } = toObject(message)
  return typeof method === 'string' ? method : undefined
}

/** The messages of an answer: one as JSON, or several as server-sent events. */
export function messagesOf({ contentType, body }: McpAnswer): readonly unknown[] {
  if (body === '') return []
  if (!contentType?.startsWith(EVENTS)) return [JSON.parse(body)]
  const lines = body.split('\n').filter((line) => line.startsWith(DATA))
  return lines.map((line): unknown => JSON.parse(line.slice(DATA.length)))
}

/** Maps the messages of an answer; returns the same object if none changes. */
export function withMessages(answer: McpAnswer, change: (message: unknown) => unknown): McpAnswer {
  const messages = messagesOf(answer)
  const changed = messages.map(change)
  if (changed.every((message, at) => message === messages[at])) return answer
  if (!answer.contentType?.startsWith(EVENTS)) return { ...answer, body: JSON.stringify(changed[0]) }
  const body = changed.map((message) => `event: message\n${DATA} ${JSON.stringify(message)}\n\n`).join('')
  return { ...answer, body }
}

const EVENTS = 'text/event-stream'
const DATA = 'data:'
