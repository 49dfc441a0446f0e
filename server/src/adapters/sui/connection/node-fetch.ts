import { UnusableAnswer } from '../layouts/decode.ts'
import { boundedFetch, type Fetch } from './bounded-fetch.ts'
import type { EndpointAddress } from './endpoint-address.ts'
import { oneLine } from './one-line.ts'

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}
/** Length to which an error page is cut: enough for the provider's reason. */
const REASON_LENGTH = 200

/**
 * The fetch of one endpoint: adds its headers and its query, and puts the reason of a failed request into the status
 * text, which the gRPC client uses as the message of its error.
 */
export function nodeFetch(fetch: Fetch, address: EndpointAddress, maxBytes: number): Fetch {
  const bounded = boundedFetch(fetch, maxBytes)
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries(address.headers)) headers.set(name, value)
    const response = await bounded(`${input}${address.query}`, { ...init, headers }).catch(explainFailure)
    if (!response.ok) return withReason(response, address.hideSecrets)
    if (isNativeGrpc(response)) throw new UnusableAnswer(`it answers with application/grpc; ${ONLY_WEB}`)
    return response
  }
}

const ONLY_WEB = 'only gRPC-web is read, not native gRPC'

const isNativeGrpc = ({ headers }: Response): boolean =>
  /^application\/grpc(\+|;|$)/.test(headers.get('content-type') ?? '')

async function withReason(response: Response, hide: (text: string) => string): Promise<Response> {
  const { status, headers } = response
  const body = await response.text()
  const said = /text\/plain|json/.test(headers.get('content-type') ?? '')
    ? oneLine(hide(body), REASON_LENGTH)
    : ''
  const statusText = `HTTP ${status} ${REASONS[status] ?? ''}`.trim() + (said && `: ${said}`)
  return new Response(body, { status, statusText, headers })
}

/** Replaces the message `fetch failed` by that of its cause: ECONNREFUSED, an expired certificate, a redirect. */
function explainFailure(failure: unknown): never {
  const cause = failure instanceof TypeError ? failure.cause : undefined
  if (cause instanceof Error) {
    // The first bytes from an HTTP/2 server without TLS are not valid HTTP/1.1.
    const hint = /HTTP\/1\.1 protocol/.test(cause.message) ? `; ${ONLY_WEB}` : ''
    throw new Error(`no connection: ${cause.message || cause.name}${hint}`, { cause })
  }
  throw failure
}
