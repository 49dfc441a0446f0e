const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/**
 * Says that the address redirects; undefined for any other answer. Redirects are not followed, because the key would go
 * to another address. A browser hides their status.
 */
export function redirectText(url: string, { type, status, headers }: Response): string | undefined {
  if (type !== 'opaqueredirect' && !REDIRECTS.includes(status)) return undefined
  const to = headers.get('location')
  const where = to && URL.canParse(to, url) ? ` to ${new URL(to, url).origin}` : ''
  return `${url} redirects${where}, which is not followed.`
}
