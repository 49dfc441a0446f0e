import { ENDPOINTS, type EndpointName, nearestName, TAGS, type Tag } from '@stakewright/contract'
import { Fault } from '../fault.ts'
import { shownName } from '../secrets/shown-name.ts'

export type ApiPart = {
  /** Identifies the part, for caches. */
  readonly key: string
  readonly kind: 'all' | 'tag' | 'operation'
  readonly names: readonly EndpointName[]
}

/** Reads the query of a document that describes the API: the part of the API it asks for. */
type ReadPart = (
  query: Readonly<Record<string, unknown>>,
  served: readonly EndpointName[],
  document: string,
) => ApiPart

/** For a document that is served only as a whole. */
export const wholeApi: ReadPart = (query, served, document) => {
  const [field] = Object.keys(query)
  if (field === undefined) return { key: '', kind: 'all', names: served }
  throw new Fault('invalid_input', `${document} takes no parameters.`, {
    fix: 'Leave them out.',
    next: { method: 'GET', path: document },
    details: [{ field: shownName(field), message: 'is not known here' }],
  })
}

/**
 * The description of the whole API is long for a language model: `?operation=` selects one operation by its
 * `operationId`, `?tag=` those of a tag, both case-insensitive.
 */
export const partOfApi: ReadPart = (query, served, document) => {
  const [field, ...more] = Object.keys(query)
  if (field === undefined) return wholeApi(query, served, document)
  const wanted = query[field]
  const tags = Object.keys(TAGS) as Tag[]
  const known = { tag: tags, operation: served }
  if (!(field === 'tag' || field === 'operation') || more.length > 0) {
    const message = `The only parameters are \`operation\` (an operationId) and \`tag\` (one of ${tags.join(', ')}); use one of them.`
    const fix = `Use one of them${suggestionFor(field, Object.keys(known))}.`
    const details = [{ field: shownName(field), message: 'is not one of these' }]
    throw new Fault('invalid_input', message, { fix, details })
  }
  const found = known[field].find(
    (one) => typeof wanted === 'string' && one.toLowerCase() === wanted.toLowerCase(),
  )
  if (found === undefined) {
    throw unknownPart(document, field, wanted, known[field])
  }
  const names = served.filter((name) => name === found || ENDPOINTS[name].tag === found)
  return { key: `${field} ${found}`, kind: field, names }
}

function unknownPart(document: string, field: string, wanted: unknown, known: readonly string[]): Fault {
  const message = `must be one of ${known.join(', ')}`
  const near = typeof wanted === 'string' ? nearestName(wanted, known) : undefined
  const path = near && `${document}?${field}=${encodeURIComponent(near)}`
  return new Fault('invalid_input', `\`${field}\` ${message}.`, {
    details: [{ field, message }],
    fix: path
      ? `Use GET ${path}, if that is what you mean.`
      : `Correct \`${field}\` and send the request again.`,
    ...(path && { next: { method: 'GET', path } }),
  })
}

function suggestionFor(wrong: string, known: readonly string[]): string {
  const near = nearestName(wrong, known)
  return near === undefined ? '' : `, such as \`${near}\``
}
