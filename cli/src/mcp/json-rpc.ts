/** The parts of a JSON-RPC message that the relay reads. */
export type Message = {
  /** Null: the request could not be parsed. */
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly message?: unknown; readonly data?: { readonly [name: string]: unknown } }
}

/**
 * Parses one line of standard input: a message or a batch. Undefined: it is not JSON; null: it is JSON of another
 * form.
 */
export function parseLine(line: string): Message | readonly Message[] | null | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (Array.isArray(value)) return value.map((item) => toMessage(item) ?? {})
    return toMessage(value) ?? null
  } catch {
    return undefined
  }
}

const toMessage = (value: unknown): Message | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined

const parseMessage = (text: string): Message | undefined => {
  const value = parseLine(text)
  return value === null || Array.isArray(value) ? undefined : toMessage(value)
}

/** The messages of a response: one as JSON, or several as server-sent events. Other bodies have none. */
export async function messagesOf(response: Response): Promise<readonly Message[]> {
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  if (type.startsWith('text/event-stream')) {
    const events = text.replaceAll(/\r\n?/g, '\n').split('\n\n')
    return events.flatMap((event) => parseMessage(dataOf(event)) ?? [])
  }
  const message = parseMessage(text)
  return message !== undefined && 'jsonrpc' in message ? [message] : []
}

/** The data of a server-sent event, which may have several lines. */
const dataOf = (event: string): string =>
  event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length))
    .join('\n')

const ONE_PER_LINE = 'Send one JSON-RPC message on each line.'

const lineError = (code: number, what: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: {
    code,
    message: `A line of standard input is not ${what}. ${ONE_PER_LINE}`,
    data: { fix: ONE_PER_LINE },
  },
})

export const NO_JSON = lineError(-32700, 'JSON')
export const NO_MESSAGE = lineError(-32600, 'a JSON-RPC message')

/** The answers to a batch, which are one list; undefined when the response has none. */
export async function batchOf(response: Response): Promise<readonly unknown[] | undefined> {
  const answers: unknown = await response.json().catch(() => undefined)
  return Array.isArray(answers) ? answers : undefined
}

/** Why a request failed: a sentence, and the API's error body, if there is one. */
export type Refused = { readonly text: string; readonly data?: { readonly [name: string]: unknown } }

/**
 * The answer to a request that failed. For a tool call it is a tool result, because models do not see protocol
 * errors.
 */
export function refusalFor(request: Message, { text, data }: Refused): object {
  // A rounded id would belong to another request.
  const isExact = typeof request.id !== 'number' || Number.isSafeInteger(request.id)
  const base = { jsonrpc: '2.0', id: isExact ? request.id : null }
  if (request.method !== 'tools/call')
    return { ...base, error: { code: -32000, message: text, data: { fix: text, ...data } } }
  const { status: _, message: __, ...others } = data ?? {}
  const content = [{ type: 'text', text: linesOf(data ? { message: text, ...others } : text) }]
  return { ...base, result: { isError: true, content, ...(isModern(request) && { resultType: 'complete' }) } }
}

const linesOf = (told: string | { readonly [name: string]: unknown }): string =>
  typeof told === 'string'
    ? told
    : Object.entries(told)
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join('\n')

const VERSION_META = 'io.modelcontextprotocol/protocolVersion'

/** The protocol version in the message itself, required since revision 2026-07-28. */
export function versionNamedIn({ params }: Message): unknown {
  const meta = params?.['_meta'] as { readonly [key: string]: unknown } | undefined
  return meta?.[VERSION_META]
}

const isModern = (message: Message): boolean => versionNamedIn(message) !== undefined
