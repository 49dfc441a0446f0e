import { isSafeToRepeat } from '@stakewright/contract/effects'
import { type EndpointName, ROUTES, type Route } from '@stakewright/contract/routes'
import { answerCache } from './answer-cache.ts'
import { readCredential } from './credential.ts'
import { refuseWaiting, StakewrightError, toError, toUnreachable, toWrongAddress } from './error.ts'
import { type RateLimit, toRateLimit } from './rate-limit.ts'
import { redirectText } from './redirect.ts'
import { toHeaders, toRequest } from './request.ts'

export type Settings = {
  /** The address of the service, such as `http://127.0.0.1:3000`. */
  readonly baseUrl: string
  /** For agent endpoints. */
  readonly apiKey?: string
  /** A user's JWT, for management endpoints. */
  readonly token?: string
  /** Timeout of one attempt: 15 s by default. The service itself answers within 10 s. */
  readonly timeoutMs?: number
  /** Another `fetch`, for proxies and tests. */
  readonly fetch?: typeof globalThis.fetch
  /** Called with every answer before its call ends, including refusals and the answers of earlier attempts. */
  readonly onAnswer?: OnAnswer
}

type TryOptions = {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly idempotencyKey?: string
  readonly onAnswer?: OnAnswer
}

type ReadOptions = {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Whether the call may be repeated if its outcome is unknown. */
  readonly isSafe: boolean
}

type OnAnswer = (answer: Answer) => void

/** The answer without its body. */
export type Answer = {
  readonly endpoint: EndpointName
  readonly status: number
  readonly requestId: string | undefined
  readonly rateLimit: RateLimit | undefined
  readonly headers: Headers
}

const TIMEOUT_MS = 15_000
const MAX_CACHED_ANSWERS = 100

/** Sends one request and reads its answer, or throws a StakewrightError. */
export function openExchange(settings: Settings) {
  const base = readBaseUrl(settings.baseUrl)
  const credentials = {
    apiKey: readCredential('apiKey', settings.apiKey),
    token: readCredential('token', settings.token),
  }
  const fetch = settings.fetch ?? globalThis.fetch
  const cache = answerCache(MAX_CACHED_ANSWERS)

  async function send(
    name: EndpointName,
    input: Readonly<Record<string, unknown>>,
    options: TryOptions,
  ): Promise<unknown> {
    const route: Route = ROUTES[name]
    const isSafe = isSafeToRepeat(name, options.idempotencyKey !== undefined)
    const { path, body } = toRequest(route, input)
    const headers = toHeaders(route, body, credentials)
    // If the caller sends its own `hash`, the cache is skipped: a cached answer may be another version.
    const cached = route.method === 'GET' && input['hash'] === undefined ? cache.get(path) : undefined
    if (cached) headers.set('if-none-match', cached.etag)
    if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey)
    const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? TIMEOUT_MS
    const init = { method: route.method, headers, body, redirect: 'manual' } as const
    const { response, text } = await read(base + path, init, { timeoutMs, signal: options.signal, isSafe })
    const redirect = redirectText(base, response)
    if (redirect !== undefined) throw toWrongAddress(redirect)
    const answer = toAnswer(name, response)
    settings.onAnswer?.(answer)
    options.onAnswer?.(answer)
    if (response.status === 304 && cached) return JSON.parse(cached.text)
    if (!response.ok) throw toError(response, text, isSafe)
    const etag = response.headers.get('etag')
    if (etag && route.method === 'GET' && route.auth === 'none') cache.set(path, { etag, text })
    const answered = readJson(text, response)
    refuseWaiting(response.status, answered)
    return answered
  }

  async function read(url: string, init: RequestInit, { timeoutMs, signal, isSafe }: ReadOptions) {
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs))
    try {
      const response = await fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      return { response, text: await response.text() }
    } catch (cause) {
      signal?.throwIfAborted()
      throw toUnreachable({ baseUrl: base, timeoutMs, isSafe }, cause)
    }
  }

  return { send }
}

function readBaseUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new TypeError('baseUrl must be an http or https address, such as http://127.0.0.1:3000')
  }
  // `fetch` refuses credentials in a URL and quotes them in its error.
  const { username, password } = new URL(text)
  if (username !== '' || password !== '') throw new TypeError('baseUrl must have no name and password in it')
  return text.replace(/\/+$/, '')
}

function toAnswer(endpoint: EndpointName, { status, headers }: Response): Answer {
  return {
    endpoint,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit: toRateLimit(headers),
    headers,
  }
}

function readJson(text: string, { status }: Response): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = `The answer had status ${status} and is not JSON: is this address Stakewright's?`
    throw new StakewrightError('internal_error', message, { status }, { cause })
  }
}
