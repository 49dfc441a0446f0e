/** A link in a text of the service. */
export type Link = { readonly from: string; readonly to: string }

/** A call that a text names, such as `POST /api/v1/…`. */
export type NamedCall = { readonly from: string; readonly method: string; readonly path: string }

const MARKDOWN = /\[[^\]]+\]\(([^)\s]+)\)/g
const ABSOLUTE = /https?:\/\/[^\s)"'`<>,]+/g
const HTML = /(?:href|src)="([^"]+)"/g
const HEADER = /<([^>]+)>/g
const CALL = /\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}.-]*[\w}])/g

/** Removes code blocks: URLs in terminal examples are those of the reader's own service. */
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/^ {4}.*$/gm, '')

/** Links in a document of this service, as absolute URLs. Those to other hosts are left out. */
export function linksIn(url: string, contentType: string, text: string, header: string): readonly Link[] {
  const found = [
    ...[...header.matchAll(HEADER)].map(([, to = '']) => to),
    ...(contentType.includes('json') ? pathsIn(JSON.parse(text)) : []),
    ...(contentType.includes('html') ? [...text.matchAll(HTML)].map(([, to = '']) => to) : []),
    ...(/markdown|plain/.test(contentType)
      ? [...withoutCode(text).matchAll(MARKDOWN)].map(([, to = '']) => to)
      : []),
    ...(contentType.includes('html') ? [] : [...withoutCode(text).matchAll(ABSOLUTE)].map(([to]) => to)),
  ]
  return found
    .filter((to) => URL.canParse(to, url))
    .map((to) => ({ from: url, to: new URL(to.replace(/[.:]$/, ''), url).href }))
    .filter(({ to }) => new URL(to).origin === new URL(url).origin)
}

/** All string members of JSON that are paths, except `path`: those may be templates or take other methods. */
function pathsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return /^\/\S*$/.test(value) && name !== 'path' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, key))
}

export const callsIn = (from: string, text: string): readonly NamedCall[] =>
  [...text.matchAll(CALL)].map(([, method = '', path = '']) => ({ from, method, path }))
