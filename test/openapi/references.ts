type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Every `$ref` of a document, in order. */
export function referencesIn(value: unknown): readonly string[] {
  if (!isObject(value)) return []
  const inner = Object.values(value).flatMap(referencesIn)
  return typeof value['$ref'] === 'string' ? [value['$ref'], ...inner] : inner
}

/** Resolves a reference, a JSON pointer within the document (RFC 6901). Undefined if it is dangling. */
export function pointedAt(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), document)
}

/** Whether following references from this one leads back to an earlier one. */
export function isCircular(document: unknown, reference: string): boolean {
  const seen = new Set<string>()
  for (let next: unknown = reference; typeof next === 'string'; ) {
    if (seen.has(next)) return true
    seen.add(next)
    const target = pointedAt(document, next)
    next = isObject(target) ? target['$ref'] : undefined
  }
  return false
}
