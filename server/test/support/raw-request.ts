import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

type Options = {
  /** Names and values in turns, sent in this order and spelling, with duplicates. */
  readonly headers?: readonly string[]
  /** Sent as JSON. */
  readonly json?: unknown
}

/** Sends a request such as `GET /verify` unchanged, even one that a well-behaved client would never send. */
export async function sendRaw(url: string, target: string, options: Options = {}): Promise<RawAnswer> {
  const [method = '', path = ''] = target.split(/ (.*)/)
  const body = options.json === undefined ? undefined : Buffer.from(JSON.stringify(options.json))
  const { hostname, port, host } = new URL(url)
  const headers = ['Host', host, ...(options.headers ?? [])]
  if (body) headers.push('Content-Type', 'application/json')
  if (method !== 'GET' && method !== 'HEAD') headers.push('Content-Length', String(body?.length ?? 0))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}

/** The body without the request id, which differs in every answer. */
export function withoutRequestId(answer: RawAnswer): string {
  return answer.text.replace(/"requestId":"[^"]*"/, '"requestId":""')
}
