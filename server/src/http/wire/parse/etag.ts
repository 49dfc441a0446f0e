/**
 * Whether `If-None-Match` lists `etag`, by weak comparison: the prefix `W/` is ignored. Parsing stops at the first
 * invalid tag.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const list = ifNoneMatch.trim()
  if (list === '*' || list === etag) return true
  const wanted = opaque(etag)
  const tag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,[ \t,]*|$)/y
  for (let match = tag.exec(list); match !== null; match = tag.exec(list)) {
    if (match[1] === wanted) return true
  }
  return false
}

const opaque = (etag: string) => (etag.startsWith('W/') ? etag.slice(2) : etag)
