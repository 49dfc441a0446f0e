const VISIBLE = /^[!-~]+$/

/** Whether it can be a key or a token: visible characters that every header carries. */
export const isCredential = (text: string): boolean => VISIBLE.test(text)

/**
 * A key or token as it is sent, or undefined when it is empty. Space around it comes with copying and is dropped. What
 * no header carries is refused here: `fetch` would quote the secret in its error.
 */
export function readCredential(name: 'apiKey' | 'token', text: string | undefined): string | undefined {
  const secret = text?.trim()
  if (!secret) return undefined
  if (isCredential(secret)) return secret
  throw new TypeError(
    `${name} has characters that none has, such as a space or a line break inside: copy it again, whole and alone.`,
  )
}
