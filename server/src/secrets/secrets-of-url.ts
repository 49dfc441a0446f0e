import { decodePercent } from './hide-secrets.ts'

/** All parts of an HTTP endpoint's URL that may be a key, because providers put keys into any of them. */
export function secretsOfUrl(text: string): readonly string[] {
  const url = new URL(text)
  // `?name=value`, or a value alone.
  const asked = url.search
    .slice(1)
    .split('&')
    .map((part) => part.slice(part.indexOf('=') + 1))
  const parts = [...url.pathname.split('/'), ...asked, ...url.searchParams.values(), url.hash.slice(1)]
  return [...loginsIn(url), ...parts.flatMap(rawAndDecoded)]
}

/**
 * The secrets in the URL of a store or mail server. Host and user names are not secret and appear in many log lines.
 */
export function secretsOfStoreUrl(text: string): readonly string[] {
  const url = new URL(text)
  const named = [...url.searchParams].filter(([name]) => /pass|secret|token|key/i.test(name))
  const names = rawAndDecoded(url.username)
  return [
    ...loginsIn(url).filter((login) => !names.includes(login)),
    ...named.flatMap(([, value]) => rawAndDecoded(value)),
  ]
}

const rawAndDecoded = (text: string): readonly string[] => [text, decodePercent(text)]

/** User and password, and their base64 forms in HTTP Basic and SASL authentication. */
function loginsIn({ username, password }: URL): readonly string[] {
  if (!username && !password) return []
  const [name, word] = [decodePercent(username), decodePercent(password)]
  const sent = [`${name}:${word}`, `\0${name}\0${word}`, word].filter(Boolean).flatMap(toBase64)
  return [...rawAndDecoded(username), ...rawAndDecoded(password), ...sent]
}

/** With and without padding. */
function toBase64(text: string): readonly string[] {
  const padded = Buffer.from(text).toString('base64')
  return [padded, padded.replace(/=+$/, '')]
}

/** The value of a header, with and without its scheme. */
export function secretsOfHeader(value: string): readonly string[] {
  const words = value.split(/\s+/).filter((word) => !/^(basic|bearer|token|apikey)$/i.test(word))
  const forms = words.length === 1 ? words : [value, ...words]
  return forms.flatMap((form) => [form, form.replace(/=+$/, '')])
}
