import { createInterface } from 'node:readline'
import { redirectText } from '@stakewright/client'
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

type RelayOptions = {
  /** Where the service serves MCP. */
  readonly url: string
  readonly apiKey: string | undefined
  /** Where the key was configured, to name in errors. */
  readonly keyFrom: string
  /** One JSON-RPC message per line. */
  readonly input: NodeJS.ReadableStream
  /** Gets the answers, one line each. */
  readonly write: (line: string) => void
}

/** Relays an MCP client's messages from standard input to the service, and the answers back, until the input ends. */
export async function relayMcp({ url, apiKey, keyFrom, input, write }: RelayOptions): Promise<void> {
  const running = new Set<{ readonly id: Message['id']; readonly cancel: AbortController }>()
  const pending = new Set<Promise<void>>()
  // In the 2025 revisions the version is negotiated once and sent with every later request.
  let agreedVersion: string | undefined
  const send = (message: object) => write(JSON.stringify(message))

  /** Sends the line unparsed: a parser would drop duplicate keys, which the service must see to refuse. */
  const forward = async (message: Message, line: string, signal: AbortSignal): Promise<void> => {
    const headers = headersFor(message, agreedVersion, apiKey)
    const response = await post(url, { headers, body: line, signal })
    const status = response.status
    const refused = response.ok ? undefined : await refusalIn(response.clone(), url, keyFrom)
    // An HTTP error is rewritten below for a model to read; a protocol error passes unchanged.
    const isByHttp = ({ id, error }: Message) =>
      !response.ok && (id === null || error?.data?.status === status)
    const answers = (await messagesOf(response)).filter((answer) => !isByHttp(answer))
    if (message.method === 'initialize') agreedVersion = versionIn(answers) ?? agreedVersion
    for (const answer of answers) send(answer)
    if (answers.length > 0 || message.id === undefined || refused === undefined) return
    send(refusalFor(message, refused))
  }

  /** Batches exist up to revision 2025-03-26; the service refuses them in later ones. */
  const forwardBatch = async (messages: readonly Message[], line: string): Promise<void> => {
    const refuseAll = (why: Refused) => {
      const answers = messages.filter(({ id }) => id !== undefined).map((one) => refusalFor(one, why))
      send(answers.length > 0 ? answers : refusalFor({ id: null }, why))
    }
    try {
      const headers = headersFor({}, agreedVersion, apiKey)
      const response = await post(url, { headers, body: line })
      const answers = await batchOf(response.clone())
      if (answers !== undefined) send(answers)
      else if (!response.ok) refuseAll(await refusalIn(response, url, keyFrom))
    } catch {
      refuseAll(unreachable(url))
    }
  }

  const start = async (message: Message, line: string): Promise<void> => {
    const { id } = message
    const call = { id, cancel: new AbortController() }
    const { signal } = call.cancel
    running.add(call)
    try {
      await forward(message, line, signal)
    } catch {
      if (id !== undefined && !signal.aborted) send(refusalFor(message, unreachable(url)))
    } finally {
      running.delete(call)
    }
  }

  /** Notifications have no id and are never cancelled. */
  const cancelCalls = (wanted: unknown) => {
    for (const { id, cancel } of running) if (id !== undefined && id === wanted) cancel.abort()
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
    else if (message.method === 'notifications/cancelled') cancelCalls(message.params?.['requestId'])
    else track(start(message, line))
  }
  await Promise.all(pending)
}

const isBatch = (message: Message | readonly Message[]): message is readonly Message[] =>
  Array.isArray(message)

/** Redirects are not followed, because the key would go to another address. */
const post = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, method: 'POST', redirect: 'manual' })

const unreachable = (url: string): Refused => ({
  text: `The service at ${url} cannot be reached. Start it (npm start), or set STAKEWRIGHT_URL.`,
})

/** Since 2026-07-28 every request carries its version, and headers repeat fields of the body. */
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

/**
 * Reads the error of a response: JSON-RPC, or the answer of a proxy. For a refused key, it names where the key was
 * configured.
 */
async function refusalIn(response: Response, url: string, keyFrom: string): Promise<Refused> {
  const redirect = redirectText(url, response)
  if (redirect !== undefined)
    return { text: `${redirect} Set STAKEWRIGHT_URL to the address of the service itself.` }
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
