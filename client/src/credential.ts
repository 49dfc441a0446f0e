const VISIBLE = /^[!-~]+$/

/** Whether the text can be a key or a token: only visible ASCII, which every header can carry. */
export const isCredential = (text: string): boolean => VISIBLE.test(text)

/**
 * Trims a key or token, because copying adds spaces; undefined if it is empty. Throws on characters that no header
 * can carry: `fetch` would quote the secret in its error.
 */
export function readCredential(name: 'apiKey' | 'token', text: string | undefined): string | undefined {
  const secret = text?.trim()
  if (!secret) return undefined
  if (isCredential(secret)) return secret
  throw new TypeError(
    `${name} has characters that none has, such as a space or a line break inside: copy it again, whole and alone.`,
  )
}
