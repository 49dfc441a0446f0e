import { isPublicRead } from './cors.ts'
import type { Route } from './wire/exchange.ts'
import type { Headers } from './wire/response.ts'

/** Content-Security-Policy of all responses except pages, whose handlers set their own. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"
const READ_BY_ANY_ORIGIN: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
}

/**
 * The headers of every response. Any origin may read public data; other routes are closed to pages, except of origins
 * in cors.ts. Caches store nothing unless the handler sets a lifetime.
 */
export function securityHeaders(publicUrl: string | undefined) {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  return (route: Route | undefined): Headers => ({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': NO_PAGE,
    'cache-control': 'no-store',
    ...(isPublicRead(route) && READ_BY_ANY_ORIGIN),
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  })
}
