import type { AnswerHeaders } from './answer.ts'
import type { ServedRoute } from './served-route.ts'

/** Appends names and values, in turn, to the head of an answer. */
export type SecurityHeaders = {
  addTo(head: string[], route: ServedRoute | undefined, own: AnswerHeaders | undefined): void
}

/** Nothing we answer is a page, unless a handler says so by a policy of its own. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

const ALWAYS = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'] as const

// Without the second line a script can read the body, but neither the version nor how long to wait.
const ANY_ORIGIN = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'etag, retry-after, x-request-id',
] as const

const HTTPS_ONLY = ['strict-transport-security', 'max-age=31536000'] as const

/** What a browser may do next from any origin on a path with a public GET. There are no credentials to allow. */
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
  const closed = publicUrl?.startsWith('https:') ? [...ALWAYS, ...HTTPS_ONLY] : [...ALWAYS]
  const open = [...closed, ...ANY_ORIGIN]
  return {
    addTo(head, route, own) {
      for (const part of route?.isPublicRead ? open : closed) head.push(part)
      if (own?.['content-security-policy'] === undefined) head.push('content-security-policy', NO_PAGE)
      if (own?.['cache-control'] === undefined) head.push('cache-control', 'no-store')
    },
  }
}
