import { type EndpointName, ROUTES } from '@stakewright/contract'
import type { Api } from '#api/api.ts'
import type { CallContext } from '#api/call.ts'
import { secretAmong } from '#api/credentials.ts'
import { refusal } from '../fault.ts'
import { toAuditEntry } from './audit-locals.ts'
import { loggedIds } from './logged-ids.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { readBearer } from './read-bearer.ts'
import { knownVersions, toResponse, versionIn } from './to-response.ts'
import type { HttpRequest } from './wire/request.ts'
import type { HttpServer } from './wire/server.ts'

type Needs = Pick<HttpServer, 'serve'>

/** A GET with an effect, because it is the link in a mail: neither HEAD nor a browser's prefetch may trigger it. */
const CHANGING_GET: EndpointName = 'verifyEmail'

/** Serves every endpoint at its route in the contract. */
export function serveApi(api: Api, { serve }: Needs): void {
  for (const name of api.names) {
    const isChangingGet = name === CHANGING_GET
    serve({ ...ROUTES[name], headSkipsHandler: isChangingGet }, (request) => {
      if (isChangingGet) refusePrefetch(request)
      return api.call(name, request, toRestContext(request)).then(toResponse)
    })
  }
}

/** Besides the context of any transport: what REST says in headers. */
const toRestContext = (request: HttpRequest): CallContext => ({
  ...toCallContext(request),
  hasVersion: knownVersions(request),
  prefers: request.prefers,
  replaces: versionIn(request.header('if-match')),
  idempotencyKey: request.header('idempotency-key'),
  via: 'rest',
})

/** The context of a call by any transport over HTTP. */
export function toCallContext(request: HttpRequest): CallContext {
  return {
    client: request.client,
    signal: request.signal,
    note: (ids) => request.note(loggedIds(ids)),
    // head-rules.ts refuses requests in which one of these headers is repeated.
    credentials: () => ({
      apiKey: request.header('x-api-key'),
      bearer: readBearer(request.header('authorization')),
      inUrl: () => secretInUrl(request),
    }),
    onQuota: (quota) => request.addHeaders(rateLimitHeaders(quota)),
    audit: toAuditEntry(request.locals),
    label: undefined,
  }
}

/** Undefined for a malformed query: the endpoint refuses it when it reads the query. */
function secretInUrl({ query }: HttpRequest): string | undefined {
  try {
    return secretAmong(Object.keys(query()))
  } catch {
    return undefined
  }
}

function refusePrefetch(request: HttpRequest): void {
  const purpose = `${request.header('sec-purpose') ?? ''} ${request.header('purpose') ?? ''}`
  if (!/prefetch|prerender|preview/i.test(purpose)) return
  throw refusal('invalid_input', 'Prefetching a link does not verify it.', 'Open it in a browser.')
}
