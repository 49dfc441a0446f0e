import { ENDPOINTS, type EndpointName, TAGS, type Tag } from '@stakewright/contract'
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

/** The OpenAPI document of what is served, or of one tag; the web app shows it at `/docs`. */
export function serveOpenapi({ serve, served, version }: Needs): void {
  const documents = new Map<Tag | undefined, Prepared>()
  const documentOf = (tag: Tag | undefined): Prepared => {
    const part = served.filter((name) => tag === undefined || ENDPOINTS[name].tag === tag)
    const document = documents.get(tag) ?? share(prepare(openapiDocument(part, version), MAX_AGE_SECONDS))
    documents.set(tag, document)
    return document
  }
  for (const path of OPENAPI_PATHS) {
    serve({ method: 'GET', path, auth: 'none' }, (request) =>
      conditional(request.header('if-none-match'), documentOf(tagIn(request.query()))),
    )
  }
}

/** `?tag=` asks for the part of one tag, whatever its case: the whole is long for a language model. */
function tagIn(query: Query): Tag | undefined {
  const [name, ...more] = Object.keys(query)
  if (name === undefined) return undefined
  const wanted = query['tag']
  const tags = Object.keys(TAGS) as Tag[]
  const tag = tags.find((known) => typeof wanted === 'string' && known.toLowerCase() === wanted.toLowerCase())
  if (tag && more.length === 0) return tag
  const message = `must be one of ${tags.join(', ')}`
  throw new Fault('invalid_input', `The only parameter is \`tag\`, which ${message}.`, {
    details: [{ field: 'tag', message }],
  })
}
