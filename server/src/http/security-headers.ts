import type { Route } from './wire/exchange.ts'
import type { Headers } from './wire/response.ts'

/** The policy of every response that is not a page; a page's handler sets its own. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

const PREFLIGHT: Headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'if-none-match',
  'access-control-max-age': '86400',
}

/** Pages of any origin may read it. No credentials are involved, so none are allowed. */
const isPublicRead = (route: Route | undefined) => route?.method === 'GET' && route.auth === 'none'

export const preflightHeaders = (route: Route | undefined): Headers | undefined =>
  isPublicRead(route) ? PREFLIGHT : undefined

/**
 * The headers of every response: any origin may read public data, routes that need a credential are closed to pages of
 * other origins, and nothing is stored on the way unless the handler says how long.
 */
export function securityHeaders(publicUrl: string | undefined) {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  return (route: Route | undefined, own: Headers | undefined): string[] => {
    const head = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer']
    if (own?.['content-security-policy'] === undefined) head.push('content-security-policy', NO_PAGE)
    if (own?.['cache-control'] === undefined) head.push('cache-control', 'no-store')
    if (isPublicRead(route)) head.push('access-control-allow-origin', '*')
    if (isHttps) head.push('strict-transport-security', 'max-age=31536000')
    return head
  }
}
