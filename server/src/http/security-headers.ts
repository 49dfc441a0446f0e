import { isPublicRead } from './cors.ts'
import type { Route } from './wire/exchange.ts'
import type { Headers } from './wire/response.ts'

/** The policy of every response that is not a page; a page's handler sets its own. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"
const READ_BY_ANY_ORIGIN: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
}

/**
 * The headers of every response: any origin may read public data, routes that need a credential are closed to pages of
 * origins that cors.ts does not know, and nothing is stored on the way unless the handler says how long.
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
