import { compare } from './compare.ts'
/**
 * Canonical JSON by RFC 8785 (JCS): names sorted by their UTF-16 code units, no spaces, numbers and strings as
 * ECMAScript writes them; undefined members are left out, and what JSON cannot write is refused. Every reader of the value can reproduce the same bytes and
 * verify a hash or signature.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .toSorted(([one], [other]) => compare(one, other))
      .flatMap(([name, member]) =>
        member === undefined ? [] : [`${canonicalJson(name)}:${canonicalJson(member)}`],
      )
    return `{${members.join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('JSON has no such number')
  if (typeof value === 'string' && !value.isWellFormed())
    throw new TypeError('the text has an unpaired surrogate')
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError('JSON has no such value')
  return text
}
