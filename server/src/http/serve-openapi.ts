import type { EndpointName } from '@stakewright/contract'
import { openapiDocument } from '@stakewright/contract/openapi'
import { conditional, type Prepared, prepare, share } from '#api/cached-answer.ts'
import type { HttpServer } from './wire/server.ts'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly served: readonly EndpointName[]
  readonly version: string
}

const MAX_AGE_SECONDS = 3600
export const OPENAPI_PATH = '/openapi.json'

/** The OpenAPI document of what is served; the web app shows it at `/docs`. */
export function serveOpenapi({ serve, served, version }: Needs): void {
  let document: Prepared | undefined
  serve({ method: 'GET', path: OPENAPI_PATH, auth: 'none' }, (request) => {
    document ??= share(prepare(openapiDocument(served, version), MAX_AGE_SECONDS))
    return conditional(request.header('if-none-match'), document)
  })
}
