import { ENDPOINTS, type EndpointName, nearestName, TAGS, type Tag } from '@stakewright/contract'
import { openapiDocument } from '@stakewright/contract/openapi'
import { conditional, type Prepared, prepare, share } from '#api/cached-answer.ts'
import { Fault } from '../fault.ts'
import type { Query } from './wire/parse/query.ts'
import type { HttpServer } from './wire/server.ts'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly served: readonly EndpointName[]
  readonly version: string
}

const MAX_AGE_SECONDS = 3600
const OPENAPI_PATH = '/openapi.json'
/** The second is where links within the documentation lead. */
export const OPENAPI_PATHS = [OPENAPI_PATH, `/docs${OPENAPI_PATH}`] as const

type Part = { readonly key: string; readonly names: readonly EndpointName[]; readonly withAnswers: boolean }

/** The OpenAPI document of what is served, or of a part of it; the web app shows it at `/docs`. */
export function serveOpenapi({ serve, served, version }: Needs): void {
  const documents = new Map<string, Prepared>()
  const documentOf = ({ key, names, withAnswers }: Part): Prepared => {
    const known = documents.get(key)
    if (known) return known
    const document = share(prepare(openapiDocument(names, version, { withAnswers }), MAX_AGE_SECONDS))
    documents.set(key, document)
    return document
  }
  for (const path of OPENAPI_PATHS) {
    serve({ method: 'GET', path, auth: 'none' }, (request) =>
      conditional(request.header('if-none-match'), documentOf(partIn(request.query(), served))),
    )
  }
}

/**
 * The whole is long for a language model. `?operation=` asks for one operation by its `operationId`, `?tag=` for those
 * of a tag, without examples of answers; neither minds the case.
 */
function partIn(query: Query, served: readonly EndpointName[]): Part {
  const [field, ...more] = Object.keys(query)
  if (field === undefined) return { key: '', names: served, withAnswers: true }
  const wanted = query[field]
  const tags = Object.keys(TAGS) as Tag[]
  const known = { tag: tags, operation: served }
  if (!(field === 'tag' || field === 'operation') || more.length > 0) {
    const message = `The only parameters are \`operation\` (an operationId) and \`tag\` (one of ${tags.join(', ')}); use one of them.`
    const fix = `Use one of them${meant(field, Object.keys(known))}.`
    throw new Fault('invalid_input', message, { fix, details: [{ field, message: 'is not one of these' }] })
  }
  const found = known[field].find(
    (one) => typeof wanted === 'string' && one.toLowerCase() === wanted.toLowerCase(),
  )
  if (found === undefined) {
    throw unknownPart(field, wanted, known[field])
  }
  const names = served.filter((name) => name === found || ENDPOINTS[name].tag === found)
  return { key: `${field} ${found}`, names, withAnswers: field === 'operation' }
}

function unknownPart(field: string, wanted: unknown, known: readonly string[]): Fault {
  const message = `must be one of ${known.join(', ')}`
  const near = typeof wanted === 'string' ? nearestName(wanted, known) : undefined
  const path = near && `${OPENAPI_PATH}?${field}=${encodeURIComponent(near)}`
  return new Fault('invalid_input', `\`${field}\` ${message}.`, {
    details: [{ field, message }],
    ...(path && { fix: `Use GET ${path}, if that is what you mean.`, next: { method: 'GET', path } }),
  })
}

function meant(wrong: string, known: readonly string[]): string {
  const near = nearestName(wrong, known)
  return near === undefined ? '' : `, such as \`${near}\``
}
