/** Canonical JSON (RFC 8785, JCS), so that everybody hashes and signs the same bytes. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = new Map(Object.entries(value).filter(([, member]) => member !== undefined))
    const names = [...members.keys()].sort()
    return `{${names.map((name) => `${canonical(name)}:${canonical(members.get(name))}`).join(',')}}`
  }
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new TypeError('an unpaired surrogate')
  const isKnown = value === null || ['string', 'boolean', 'number'].includes(typeof value)
  if (!isKnown || (typeof value === 'number' && !Number.isFinite(value)))
    throw new TypeError('JSON has no such value')
  return JSON.stringify(value)
}

/** SHA-256 of the canonical text, as base64url. */
export async function digestOf(value: unknown): Promise<string> {
  const text = new TextEncoder().encode(canonical(value))
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', text)))
}

export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** Undefined unless the text is the canonical base64url of exactly `length` bytes. */
export function fromBase64Url(text: unknown, length: number): Uint8Array | undefined {
  if (typeof text !== 'string' || !/^[\w-]+$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    return bytes.length === length && toBase64Url(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
