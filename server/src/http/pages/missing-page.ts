import { preferredType } from '../wire/parse/preferred-type.ts'
import type { HttpResponse } from '../wire/response.ts'
import { pagePolicy, renderPage } from './layout.ts'

export type PageLink = { readonly path: string; readonly name: string }

const toResponse = (pages: readonly PageLink[]): HttpResponse & { readonly status: 404 } => ({
  status: 404,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(),
    vary: 'accept',
  },
  body: renderPage({
    title: 'There is no page here',
    navigation: pages.map(({ path, name }) => `<a href="${path}">${name}</a>`).join('\n'),
    content: `<p>The address may be mistyped, or the page may have moved.${pages.length > 0 ? ' Choose a page above.' : ''}</p>
<p class="note">Programs get this answer as JSON, with the path that comes nearest.</p>`,
  }),
})

/**
 * The response to a browser at an unknown path; a trailing slash is redirected. Programs, and paths of the API, get
 * the error body.
 */
export function missingPage(pages: readonly PageLink[]) {
  const missing = toResponse(pages)
  return (url: string, accept: string | undefined): HttpResponse | undefined => {
    const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? []
    const isPage = preferredType(accept, ['text/html', 'application/json']) === 'text/html'
    if (path.startsWith('/api/') || !isPage) return undefined
    const [, last] = /\/([^/]+)\/$/.exec(path) ?? []
    // A relative location cannot redirect to another host.
    return last === undefined
      ? missing
      : { status: 308, headers: { location: `../${last}${query}`, vary: 'accept' } }
  }
}
