import { isPublicRead } from './cors.ts'
import type { Route } from './wire/exchange.ts'
import type { Headers } from './wire/response.ts'

/** The policy of every response that is not a page; a page's handler sets its own. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

/**
 * The headers of every response: any origin may read public data, routes that need a credential are closed to pages of
 * origins that cors.ts does not know, and nothing is stored on the way unless the handler says how long.
 */
export function securityHeaders(publicUrl: string | undefined) {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  return (route: Route | undefined, own: Headers | undefined): string[] => {
    const head = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer']
    if (own?.['content-security-policy'] === undefined) head.push('content-security-policy', NO_PAGE)
    if (own?.['cache-control'] === undefined) head.push('cache-control', 'no-store')
    if (isPublicRead(route))
      head.push('access-control-allow-origin', '*', 'access-control-expose-headers', '*')
    if (isHttps) head.push('strict-transport-security', 'max-age=31536000')
    return head
  }
}
