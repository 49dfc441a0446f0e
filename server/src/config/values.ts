import { isWeakSecret } from '../secrets/weak-secret.ts'

/** Parser of a variable. `read` returns undefined for invalid text; `expected` completes the error message. */
export type Value<T> = { readonly expected: string; readonly read: (text: string) => T | undefined }

export function whole(min: number, max: number): Value<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : undefined
    },
  }
}

export function oneOf<const T extends string>(names: readonly T[]): Value<T> {
  return { expected: `one of ${names.join(', ')}`, read: (text) => names.find((name) => name === text) }
}

export function matching(pattern: RegExp, expected: string): Value<string> {
  return { expected, read: (text) => (pattern.test(text) ? text : undefined) }
}

export const anyText: Value<string> = { expected: 'text', read: (text) => text }

export const secretText: Value<string> = {
  expected:
    'at least 32 characters long, and nothing that can be guessed or is known from an example (openssl rand -hex 32 makes a good one)',
  read: (text) => (isWeakSecret(text) ? undefined : text),
}

export function url(...schemes: readonly string[]): Value<string> {
  const starts = schemes.map((scheme) => `${scheme}://`)
  return {
    expected: `a URL that starts with ${starts.join(' or ')}`,
    read: (text) => (starts.some((start) => text.startsWith(start)) && URL.canParse(text) ? text : undefined),
  }
}

/** In the canonical form of the `Origin` header: no path, no default port, lower case. */
export const origin: Value<string> = {
  expected: 'an origin like https://app.example.org, without a path or *',
  read: (text) =>
    /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text ? text : undefined,
}

/** Comma-separated; spaces around items are ignored. */
export function listOf<T>(item: Value<T>): Value<readonly T[]> {
  return {
    expected: `a comma-separated list; each item ${item.expected}`,
    read: (text) => {
      const parts = text.split(',').map((part) => part.trim())
      const items = parts.map((part) => item.read(part)).filter((value) => value !== undefined)
      return items.length === parts.length ? items : undefined
    },
  }
}

const ADDRESS = /^[^\s@<>,"]{1,64}@[^\s@<>,"]{1,253}$/

/** Converted to lower case, because addresses are compared. */
export const emailAddress: Value<string> = {
  expected: 'an e-mail address',
  read: (text) => (ADDRESS.test(text) ? text.toLowerCase() : undefined),
}

/** `someone@example.org` or `Name <someone@example.org>`. */
export const sender: Value<string> = {
  expected: 'an e-mail address, or a name and an address: Name <someone@example.org>',
  read: (text) => {
    const named = /^[^<>\r\n"]{1,100} <([^<>]+)>$/.exec(text)
    return ADDRESS.test(named?.[1] ?? text) ? text : undefined
  },
}
