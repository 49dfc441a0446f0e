import { type EndpointName, ROUTES } from '@stakewright/contract'
import type { Api } from '#api/api.ts'
import type { CallContext } from '#api/call.ts'
import { readBearer } from '#api/credentials.ts'
import { Fault } from '../fault.ts'
import type { Inbound } from './inbound.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { RouteRow } from './routing.ts'
import type { Handler } from './run-handler.ts'

type Needs = { readonly serve: (row: RouteRow, handler: Handler) => void }

/** The link in a mail is a GET that changes something: neither HEAD nor a browser's prefetch may use it up. */
const CHANGING_GET: EndpointName = 'verifyEmail'

/** Serves every endpoint at the route that the contract gives it. */
export function serveApi(api: Api, { serve }: Needs): void {
  for (const name of api.names) {
    const isChangingGet = name === CHANGING_GET
    serve({ ...ROUTES[name], headIsInert: isChangingGet }, (inbound) => {
      if (isChangingGet) refusePrefetch(inbound)
      return api.call(name, inbound, toCallContext(inbound))
    })
  }
}

/** A request as the API sees it. `label` is for what the audit log must not call by its endpoint. */
export function toCallContext(inbound: Inbound, label?: string): CallContext {
  return {
    client: inbound.client,
    ifNoneMatch: inbound.header('if-none-match'),
    signal: inbound.signal,
    note: inbound.note,
    // A header that comes twice never gets here.
    credentials: () => ({
      apiKey: inbound.header('x-api-key'),
      bearer: readBearer(inbound.header('authorization')),
    }),
    onQuota: (quota) => inbound.addHeaders(rateLimitHeaders(quota)),
    audit: inbound.audit,
    label,
  }
}

function refusePrefetch(inbound: Inbound): void {
  const purpose = `${inbound.header('sec-purpose') ?? ''} ${inbound.header('purpose') ?? ''}`
  if (!/prefetch|prerender|preview/i.test(purpose)) return
  throw new Fault('invalid_input', 'A link is verified by opening it, not by fetching it ahead.')
}
