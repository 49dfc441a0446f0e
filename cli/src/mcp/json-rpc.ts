/** A JSON-RPC message, as far as a relay has to understand it. */
export type Message = {
  /** Null: the message that it answers could not be read. */
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: { readonly [name: string]: unknown }
}

/** One line of standard input; undefined when it is not a message. */
export function parseMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The messages of a response: one as JSON, or several as server-sent events. Other bodies have none. */
export async function messagesOf(response: Response): Promise<readonly Message[]> {
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  if (type.startsWith('text/event-stream')) {
    return text
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .flatMap((line) => parseMessage(line.slice('data:'.length)) ?? [])
  }
  const message = parseMessage(text)
  return message !== undefined && 'jsonrpc' in message ? [message] : []
}

const ONE_PER_LINE = 'Send one JSON-RPC message on each line.'

export const PARSE_ERROR = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32700,
    message: `A line of standard input is not a JSON-RPC message. ${ONE_PER_LINE}`,
    data: { fix: ONE_PER_LINE },
  },
}

/** A refusal of the service or of the connection. A model reads the result of a tool, and no other error. */
export function refusalFor(request: Message, text: string): object {
  // Another number than the one that was sent would belong to another message.
  const isExact = typeof request.id !== 'number' || Number.isSafeInteger(request.id)
  const base = { jsonrpc: '2.0', id: isExact ? request.id : null }
  if (request.method !== 'tools/call')
    return { ...base, error: { code: -32000, message: text, data: { fix: text } } }
  return { ...base, result: { isError: true, content: [{ type: 'text', text }], resultType: 'complete' } }
}
