import { hash } from 'node:crypto'
import { partOfApi, wholeApi } from '#api/part-of-api.ts'
import type { HttpServer } from '#http/wire/server.ts'
import { DOCUMENTS, type Document } from './documents.ts'
import type { Facts } from './facts.ts'

type Needs = {
  readonly serve: HttpServer['serve']
  /** A function, because the URL is known only once the service listens. */
  readonly factsOf: () => Facts
  /** File names of the documentation and how to read one. */
  readonly docs: { readonly names: readonly string[]; readonly read: (name: string) => string }
  /** Contact for reports of vulnerabilities, and its expiry. */
  readonly security: { readonly contact: string | undefined; readonly expiresAt: () => Date }
}

const MAX_AGE = 'public, max-age=3600'
const SECURITY_PATH = '/.well-known/security.txt'
const pagePath = (name: string) => `/docs/${name}`

/**
 * The `Link` header of `/` and each document, by which a program finds the other documents. RFC 9727 requires it for
 * the API catalog.
 */
export const DISCOVERY_LINKS = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
].join(', ')

/** The paths of documents for programs, which do not count for limits, like the documentation. */
export const isDiscoveryPath = (path: string): boolean =>
  path in DOCUMENTS || path === SECURITY_PATH || /^\/docs\/(?:[\w-]+\/)?[\w-]+\.md$/.test(path)

/** Serves everything that describes the service to programs: texts, catalogs, and the documentation as Markdown. */
export function serveDiscovery({ serve, factsOf, docs, security }: Needs): void {
  const get = (path: string, { contentType, render, hasParts, changes }: Document) => {
    const made = new Map<string, Made>()
    serve({ method: 'GET', path, auth: 'none' }, (request) => {
      const facts = factsOf()
      const partIn = hasParts ? partOfApi : wholeApi
      const part = partIn(request.query(), facts.served, path)
      const known = changes ? undefined : made.get(part.key)
      const { etag, whole, unchanged } = known ?? toAnswers(render(facts, part), contentType)
      made.set(part.key, { etag, whole, unchanged })
      return request.hasEtag(etag) ? unchanged : whole
    })
  }
  for (const [path, document] of Object.entries(DOCUMENTS)) get(path, document)
  for (const name of docs.names) {
    get(pagePath(name), { contentType: 'text/markdown; charset=utf-8', render: () => docs.read(name) })
  }
  const { contact, expiresAt } = security
  if (contact === undefined) return
  get(SECURITY_PATH, {
    contentType: 'text/plain; charset=utf-8',
    changes: true,
    render: () => `Contact: ${contact}\nExpires: ${expiresAt().toISOString()}\nPreferred-Languages: en\n`,
  })
}

type Made = ReturnType<typeof toAnswers>

/** Shared, so that a long text is compressed once. */
function toAnswers(body: string, contentType: string) {
  const etag = `"${hash('sha256', body, 'hex')}"`
  const headers = { etag, 'cache-control': MAX_AGE, link: DISCOVERY_LINKS }
  const whole = { body, headers: { ...headers, 'content-type': contentType }, isShared: true } as const
  return { etag, whole, unchanged: { status: 304, headers, isShared: true } as const }
}
