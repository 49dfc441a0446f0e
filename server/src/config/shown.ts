/** A setting as an operator may see it. */
export type Setting = {
  readonly name: string
  readonly value: string
  readonly source: 'environment' | 'default'
}

const HIDDEN = '***'
/** A comma may also stand inside a password: it ends a URL only where the next one begins. */
const BETWEEN_URLS = /,\s*(?=[a-z]+:\/\/)/
/** Node providers and price sources put their keys into the path; ordinary path segments are shorter. */
const LONGEST_PLAIN_SEGMENT = 19

/** What may be shown of a value: nothing of a secret, and a URL without its passwords and keys. */
export function hideSecrets(text: string, secret: 'whole' | 'url' | undefined): string {
  if (secret === 'whole') return HIDDEN
  if (secret === 'url') return text.split(BETWEEN_URLS).map(hideInUrl).join(',')
  return text
}

function hideInUrl(text: string): string {
  if (!URL.canParse(text.trim())) return HIDDEN
  const shown = new URL(text.trim())
  // A name without a password is a key; with one it is only a name.
  if (shown.password) shown.password = HIDDEN
  else if (shown.username) shown.username = HIDDEN
  for (const name of [...shown.searchParams.keys()]) shown.searchParams.set(name, HIDDEN)
  shown.pathname = shown.pathname
    .split('/')
    .map((segment) => (segment.length > LONGEST_PLAIN_SEGMENT ? HIDDEN : segment))
    .join('/')
  return shown.href
}
