import type { EndpointName } from '@stakewright/contract'
import { EXAMPLE_VALIDATOR } from '@stakewright/contract/examples'
import { openapiDocument } from '@stakewright/contract/openapi'
import { conditional, type Prepared, prepare, share } from '#api/cached-answer.ts'
import { type ApiPart, partOfApi } from '#api/part-of-api.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import { knownVersions, toResponse } from './to-response.ts'
import type { HttpServer } from './wire/server.ts'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly served: readonly EndpointName[]
  readonly version: string
  readonly network: CurrentNetwork
}

const MAX_AGE_SECONDS = 3600
const OPENAPI_PATH = '/openapi.json'
/** The second path is the target of links within the documentation. */
export const OPENAPI_PATHS = [OPENAPI_PATH, `/docs${OPENAPI_PATH}`] as const

/** Serves the OpenAPI document of the served endpoints, or of a part of them; the web app shows it at `/docs`. */
export function serveOpenapi({ serve, served, version, network }: Needs): void {
  let chain = ''
  const documents = new Map<string, Prepared>()
  const documentOf = ({ key, names, kind }: ApiPart): Prepared => {
    const elsewhere = chainElsewhere(network)
    const present = JSON.stringify(elsewhere ?? null)
    if (present !== chain) documents.clear()
    chain = present
    const known = documents.get(key)
    if (known) return known
    // Parts are meant for language models, so they have fewer examples, to save tokens.
    const examples = { withAnswers: kind !== 'tag', withErrors: kind !== 'operation', elsewhere }
    const document = share(prepare(openapiDocument(names, version, examples), MAX_AGE_SECONDS))
    documents.set(key, document)
    return document
  }
  for (const path of OPENAPI_PATHS) {
    serve({ method: 'GET', path, auth: 'none' }, (request) =>
      toResponse(
        conditional(knownVersions(request), documentOf(partOfApi(request.query(), served, OPENAPI_PATH))),
      ),
    )
  }
}

/** A validator of this chain for the examples; undefined if the examples' validator exists on it. */
function chainElsewhere(network: CurrentNetwork) {
  const validators = network.peek()?.snapshot.validators ?? []
  if (validators.some(({ id }) => id === EXAMPLE_VALIDATOR)) return undefined
  return { validatorId: validators.find(({ status }) => status === 'active')?.id }
}
