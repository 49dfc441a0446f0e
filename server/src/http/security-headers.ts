import type { AnswerHeaders } from './answer.ts'
import type { ServedRoute } from './exchange.ts'

/** What is in the head of every answer: names and values in turn. */
export type SecurityHeaders = {
  open(route: ServedRoute | undefined, own: AnswerHeaders | undefined): string[]
}

/** Nothing we answer is a page, unless a handler says so by a policy of its own. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

/** What a browser may do next, from any origin, on a path with a public GET. There are no credentials to allow. */
export const PREFLIGHT: AnswerHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'if-none-match',
  'access-control-max-age': '86400',
}

/**
 * Any origin may read public data; whatever needs a credential is closed to foreign pages. Nothing is stored on the
 * way unless the handler of public data says how long.
 */
export function securityHeaders(publicUrl: string | undefined): SecurityHeaders {
  const isHttps = publicUrl?.startsWith('https:') ?? false
  return {
    open(route, own) {
      const head = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer']
      if (own?.['content-security-policy'] === undefined) head.push('content-security-policy', NO_PAGE)
      if (own?.['cache-control'] === undefined) head.push('cache-control', 'no-store')
      if (route?.isPublicRead) head.push('access-control-allow-origin', '*')
      if (isHttps) head.push('strict-transport-security', 'max-age=31536000')
      return head
    },
  }
}
