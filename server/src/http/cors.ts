import type { Exchange, Route } from './wire/exchange.ts'
import type { Headers } from './wire/response.ts'

const PUBLIC_PREFLIGHT: Headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'if-none-match',
  'access-control-max-age': '86400',
}
/** Request headers that pages may send with keyed calls, and response headers that they may read. */
const SENT =
  'authorization, content-type, idempotency-key, if-match, if-none-match, mcp-method, mcp-name, mcp-protocol-version, x-api-key'
const READ =
  'etag, idempotent-replayed, link, retry-after, www-authenticate, x-next-cursor, x-ratelimit-limit-rpd, x-ratelimit-limit-rpm, x-ratelimit-remaining, x-ratelimit-remaining-rpd, x-ratelimit-remaining-rpm, x-ratelimit-reset, x-request-id'
/**
 * How long browsers cache a preflight: they allow up to two hours, but a changed list of origins should take effect
 * sooner.
 */
const KEPT_SECONDS = '600'

/** Routes that pages of any origin may read, because they need no credentials. */
export const isPublicRead = (route: Route | undefined) => route?.method === 'GET' && route.auth === 'none'

/**
 * Pages of these origins may send keyed calls and read the answers. Keys and tokens travel in headers that a page sets
 * itself, so cookies and other credentials of the browser are never allowed.
 */
export function allowOrigins(origins: readonly string[]) {
  const allowed: ReadonlySet<string> = new Set(origins)
  return {
    preflightHeaders(
      route: Route | undefined,
      origin: string | undefined,
      allow: string,
    ): Headers | undefined {
      if (origin === undefined || !allowed.has(origin))
        return isPublicRead(route) ? PUBLIC_PREFLIGHT : undefined
      return {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': allow,
        'access-control-allow-headers': SENT,
        'access-control-max-age': KEPT_SECONDS,
        vary: 'origin',
      }
    },
    /** The headers of the actual response, including refusals and timeouts. */
    headersFor({ route, request }: Exchange): Headers | undefined {
      if (request.method === 'OPTIONS' || isPublicRead(route)) return undefined
      const { origin } = request.headers
      if (origin !== undefined && allowed.has(origin))
        return {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': READ,
          vary: 'origin',
        }
      if (origin !== undefined && isBeforeRoute(route, request.method)) return PUBLIC_REFUSAL
      return allowed.size > 0 ? VARIES : undefined
    },
  }
}

/** The request was refused before routing, so the answer holds nothing but public text. */
const isBeforeRoute = (route: Route | undefined, method: string | undefined) =>
  route === undefined && (method === 'GET' || method === 'HEAD')

const VARIES: Headers = { vary: 'origin' }
const PUBLIC_REFUSAL: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  vary: 'origin',
}
