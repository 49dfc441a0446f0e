import type { ErrorCode, Input, Reply } from '@stakewright/contract'
import { type EndpointName, ROUTES, type Route } from '@stakewright/contract/routes'
import { StakewrightError, toError } from './error.ts'
import { type RateLimit, toRateLimit } from './rate-limit.ts'

export type { ErrorCode, Input, Reply } from '@stakewright/contract'
export { StakewrightError } from './error.ts'
export type { RateLimit } from './rate-limit.ts'

export type ClientOptions = {
  /** Where the service is, such as `http://127.0.0.1:3000`. */
  readonly baseUrl: string
  /** For agent endpoints. */
  readonly apiKey?: string
  /** A user's JWT, for management endpoints. */
  readonly token?: string
  /** How long to wait for an answer. The service itself answers within 10 s. */
  readonly timeoutMs?: number
  /** Another `fetch`, for proxies and tests. */
  readonly fetch?: typeof globalThis.fetch
}

/** What came back besides the body. */
export type Answer = {
  readonly status: number
  readonly requestId: string | undefined
  readonly rateLimit: RateLimit | undefined
  readonly headers: Headers
}

type Arguments<Name extends EndpointName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]

type Calls = { readonly [Name in EndpointName]: (...input: Arguments<Name>) => Promise<Reply<Name>> }

export type Client = Calls & {
  /** The newest answer, refused or not: its status, request id and rate-limit state. */
  readonly last: Answer | undefined
}

/**
 * A typed client: one method per endpoint, parameters of path, query and body in one object.
 *
 * ```ts
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey })
 * const { allocations } = await client.allocate({ amount: '5000000000' })
 * console.log(client.last?.rateLimit?.remaining)
 * ```
 *
 * A refusal throws a `StakewrightError` with its `code`. Unchanged public data cost a 304 and come from memory.
 */
export function createClient(options: ClientOptions): Client {
  const base = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? globalThis.fetch
  const remembered = rememberAnswers(100)
  const state: { last: Answer | undefined } = { last: undefined }

  async function call(name: EndpointName, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const route: Route = ROUTES[name]
    const request = toRequest(route, input)
    const headers = new Headers({ accept: 'application/json', ...credentials(route, options) })
    if (request.body !== undefined) headers.set('content-type', 'application/json')
    const known = route.method === 'GET' ? remembered.get(request.path) : undefined
    if (known) headers.set('if-none-match', known.etag)

    let response: Response
    let text: string
    try {
      response = await send(base + request.path, {
        method: route.method,
        headers,
        body: request.body ?? null,
        redirect: 'error',
        signal: AbortSignal.timeout(options.timeoutMs ?? 15_000),
      })
      text = await response.text()
    } catch (cause) {
      throw StakewrightError.unreachable(base, cause)
    }
    state.last = {
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      rateLimit: toRateLimit(response.headers),
      headers: response.headers,
    }
    if (response.status === 304 && known) return JSON.parse(known.text)
    if (!response.ok) throw toError(response.status, text)
    const etag = response.headers.get('etag')
    if (etag && route.method === 'GET' && route.auth === 'none') remembered.set(request.path, { etag, text })
    return JSON.parse(text)
  }

  return toClient(call, state)
}

/** Every endpoint of the table becomes a method, so the type holds by construction. */
function toClient(
  call: (name: EndpointName, input?: Readonly<Record<string, unknown>>) => Promise<unknown>,
  state: { readonly last: Answer | undefined },
): Client {
  const names = Object.keys(ROUTES) as EndpointName[]
  const calls = Object.fromEntries(
    names.map((name) => [name, (input?: Readonly<Record<string, unknown>>) => call(name, input)]),
  )
  return Object.defineProperty(calls, 'last', {
    get: () => state.last,
    enumerable: true,
  }) as unknown as Client
}

function credentials(route: Route, options: ClientOptions): Record<string, string> {
  if (route.auth === 'agent-key' && options.apiKey !== undefined) return { 'x-api-key': options.apiKey }
  if (route.auth === 'user-token' && options.token !== undefined)
    return { authorization: `Bearer ${options.token}` }
  return {}
}

/** Path parameters go into the path; what is left is the query of a GET or DELETE, or else the JSON body. */
function toRequest(route: Route, input: Readonly<Record<string, unknown>>) {
  const rest = { ...input }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (route.method === 'POST' || route.method === 'PATCH') {
    return { path, body: Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest) }
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value))
  return { path: query.size === 0 ? path : `${path}?${query}`, body: undefined }
}

/** The last answers with an ETag, oldest forgotten first. */
function rememberAnswers(limit: number) {
  const answers = new Map<string, { readonly etag: string; readonly text: string }>()
  return {
    get: (path: string) => answers.get(path),
    set(path: string, answer: { readonly etag: string; readonly text: string }) {
      answers.delete(path)
      answers.set(path, answer)
      const oldest = answers.keys().next()
      if (answers.size > limit && !oldest.done) answers.delete(oldest.value)
    },
  }
}

export type ClientErrorCode = ErrorCode | 'unreachable'
