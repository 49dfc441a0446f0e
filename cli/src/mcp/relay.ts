import { createInterface } from 'node:readline'
import {
  batchOf,
  type Message,
  messagesOf,
  NO_JSON,
  NO_MESSAGE,
  parseLine,
  type Refused,
  refusalFor,
  versionNamedIn,
} from './json-rpc.ts'

export type RelayOptions = {
  /** Where the service serves MCP. */
  readonly url: string
  readonly apiKey: string | undefined
  /** Where the key is from, so that whoever set it up finds it. */
  readonly keyFrom: string
  /** One JSON-RPC message per line. */
  readonly input: NodeJS.ReadableStream
  /** Gets the answers, one line each. */
  readonly write: (line: string) => void
}

/** Carries the messages of an MCP client on standard input to the service, and the answers back, until input ends. */
export async function relayMcp({ url, apiKey, keyFrom, input, write }: RelayOptions): Promise<void> {
  const running = new Map<unknown, AbortController>()
  const pending = new Set<Promise<void>>()
  // With the 2025 revisions the version is agreed on once, and sent with every later request.
  let agreedVersion: string | undefined
  const send = (message: object) => write(JSON.stringify(message))

  /** The line goes on as it came: a parser would keep one of two equal keys, and the service refuses both. */
  const forward = async (message: Message, line: string, signal: AbortSignal): Promise<void> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersFor(message, agreedVersion, apiKey),
      body: line,
      signal,
    })
    const status = response.status
    const refused = response.ok ? undefined : await refusalIn(response.clone(), keyFrom)
    // A refusal by HTTP is told below in words that a model reads; one of the protocol goes on as it is.
    const isByHttp = ({ id, error }: Message) =>
      !response.ok && (id === null || error?.data?.status === status)
    const answers = (await messagesOf(response)).filter((answer) => !isByHttp(answer))
    if (message.method === 'initialize') agreedVersion = versionIn(answers) ?? agreedVersion
    for (const answer of answers) send(answer)
    if (answers.length > 0 || message.id === undefined || refused === undefined) return
    send(refusalFor(message, refused))
  }

  /** Up to revision 2025-03-26 a line may have several messages; the service refuses them in later ones. */
  const forwardBatch = async (messages: readonly Message[], line: string): Promise<void> => {
    const refuseAll = (why: Refused) => {
      const answers = messages.filter(({ id }) => id !== undefined).map((one) => refusalFor(one, why))
      send(answers.length > 0 ? answers : refusalFor({ id: null }, why))
    }
    try {
      const headers = headersFor({}, agreedVersion, apiKey)
      const response = await fetch(url, { method: 'POST', headers, body: line })
      const answers = await batchOf(response.clone())
      if (answers !== undefined) send(answers)
      else if (!response.ok) refuseAll(await refusalIn(response, keyFrom))
    } catch {
      refuseAll(unreachable(url))
    }
  }

  const start = async (message: Message, line: string): Promise<void> => {
    const cancel = new AbortController()
    running.set(message.id, cancel)
    try {
      await forward(message, line, cancel.signal)
    } catch {
      if (message.id !== undefined && !cancel.signal.aborted) send(refusalFor(message, unreachable(url)))
    } finally {
      running.delete(message.id)
    }
  }

  const track = (work: Promise<void>) => {
    const done = work.finally(() => pending.delete(done))
    pending.add(done)
  }

  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const message = parseLine(line)
    if (!message) send(message === null ? NO_MESSAGE : NO_JSON)
    else if (isBatch(message)) track(forwardBatch(message, line))
    else if (message.method === 'notifications/cancelled') running.get(message.params?.['requestId'])?.abort()
    else track(start(message, line))
  }
  await Promise.all(pending)
}

const isBatch = (message: Message | readonly Message[]): message is readonly Message[] =>
  Array.isArray(message)

const unreachable = (url: string): Refused => ({
  text: `The service at ${url} cannot be reached. Start it (npm start), or set STAKEWRIGHT_URL.`,
})

/** Since 2026-07-28 every request carries its version, and the headers repeat what the body says. */
function headersFor(message: Message, agreedVersion: string | undefined, apiKey: string | undefined) {
  const named = versionNamedIn(message)
  const version = named ?? agreedVersion
  const isModern = named !== undefined
  const name = message.params?.['name'] ?? message.params?.['uri']
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    ...(isModern && message.method && { 'mcp-method': message.method }),
    ...(isModern && typeof name === 'string' && { 'mcp-name': name }),
    ...(apiKey && { 'x-api-key': apiKey }),
  }
}

const versionIn = (answers: readonly Message[]): string | undefined => {
  const version = answers[0]?.result?.['protocolVersion']
  return typeof version === 'string' ? version : undefined
}

/** The error of the service: of JSON-RPC, or what a proxy in front has sent. A key that it refuses is named by its place. */
async function refusalIn(response: Response, keyFrom: string): Promise<Refused> {
  const body: unknown = await response.json().catch(() => undefined)
  const { error, message = error?.message } = (body ?? {}) as Message & { readonly message?: unknown }
  const data = error?.data
  const reason = typeof message === 'string' ? message : 'It gave no reason.'
  const source = response.status === UNAUTHORIZED ? ` The key is that of ${keyFrom}.` : ''
  return {
    text: `The service answered ${response.status}. ${reason}${source}`,
    ...(data && { data: { ...data, ...(source && { fix: `${data['fix']}${source}` }) } }),
  }
}

const UNAUTHORIZED = 401
