import type { IncomingMessage } from 'node:http'
import { type Fault, refusal } from '../../../fault.ts'
import { bodyTooLarge } from './body.ts'

const MAX_HEADERS = 100

/** Size limits of a request. */
export type SizeLimits = { readonly urlBytes: number; readonly bodyBytes: number; readonly jsonDepth: number }

/**
 * Refuses a request by its head alone, before routing. Node accepts all of this; each rule prevents request smuggling
 * (two parsers reading the same bytes differently) or bounds the cost of a request.
 */
export function refuseHead(
  request: IncomingMessage,
  carriesBody: boolean,
  limits: SizeLimits,
): Fault | undefined {
  return (
    refuseUnknownVersion(request) ??
    refuseManyHeaders(request) ??
    refuseRepeatedHeaders(request) ??
    refuseBadHost(request) ??
    refuseLongTarget(request, limits) ??
    refuseBadTarget(request) ??
    (carriesBody ? refuseBody(request, limits) : undefined)
  )
}

const refuseBody = (request: IncomingMessage, limits: SizeLimits): Fault | undefined =>
  refuseOtherCodings(request) ??
  refuseUnexpectedBody(request) ??
  refuseCompressed(request) ??
  refuseLargeBody(request, limits)

const refuseWith = (status: number, problem: string, fix: string) =>
  refusal('invalid_input', problem, fix, { status })

/** Headers that would be ambiguous if repeated. */
const SINGLE: ReadonlySet<string> = new Set([
  'host',
  'x-api-key',
  'content-type',
  'authorization',
  'content-length',
  'content-encoding',
  'transfer-encoding',
])

function refuseManyHeaders({ rawHeaders }: IncomingMessage) {
  if (rawHeaders.length <= 2 * MAX_HEADERS) return undefined
  return refuseWith(431, `The request has more than ${MAX_HEADERS} headers.`, 'Send fewer.')
}

function refuseRepeatedHeaders({ headers, rawHeaders }: IncomingMessage) {
  // Node has one entry per name: as many entries as header lines means that none is repeated.
  if (2 * Object.keys(headers).length === rawHeaders.length) return undefined
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) return refuseWith(400, `The header ${name} is given twice.`, 'Send it once.')
    seen.add(name)
  }
  return undefined
}

function refuseBadHost({ headers: { host }, httpVersion }: IncomingMessage) {
  if (host === undefined) {
    return httpVersion === '1.0'
      ? undefined
      : refuseWith(400, 'The Host header is missing.', 'Send it with the host name of this service.')
  }
  return /^[\w.~%:[\]-]*$/.test(host)
    ? undefined
    : refuseWith(400, 'The Host header is not a host name.', 'Correct it.')
}

function refuseUnknownVersion({ httpVersion }: IncomingMessage) {
  if (httpVersion === '1.1' || httpVersion === '1.0') return undefined
  return refuseWith(400, 'This version of HTTP is not supported.', 'Use HTTP/1.1.')
}

function refuseLongTarget({ url = '' }: IncomingMessage, { urlBytes }: SizeLimits) {
  if (url.length <= urlBytes) return undefined
  return refuseWith(414, `The URL is longer than ${urlBytes} bytes.`, 'Ask for less at a time.')
}

/** Valid targets: a path, an absolute URL, or `*` with OPTIONS. */
function refuseBadTarget({ url = '', method }: IncomingMessage) {
  if (url.includes('%00')) return refuseWith(400, 'The URL has a zero character, %00.', 'Leave it out.')
  const known =
    url.startsWith('/') || /^https?:\/\/[^/?#]/i.test(url) || (url === '*' && method === 'OPTIONS')
  if (known && !url.includes('#')) return undefined
  return refuseWith(400, 'The request target is not a path.', 'Begin it with / and leave out any #fragment.')
}

function refuseOtherCodings({ headers, httpVersion }: IncomingMessage) {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  if (coding.toLowerCase() === 'chunked' && httpVersion === '1.1') return undefined
  return refuseWith(
    400,
    'The only Transfer-Encoding is chunked, in HTTP/1.1.',
    'Send the body plain, with Content-Length.',
  )
}

function refuseUnexpectedBody({ method }: IncomingMessage) {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  return refuseWith(400, `A ${method} request has no body here.`, 'Use the query, or leave the body out.')
}

function refuseCompressed({ headers }: IncomingMessage) {
  const coding = headers['content-encoding']
  if (coding === undefined || coding.toLowerCase() === 'identity') return undefined
  return refuseWith(415, 'Compressed bodies are not accepted.', 'Send the body without Content-Encoding.')
}

function refuseLargeBody({ headers }: IncomingMessage, { bodyBytes }: SizeLimits) {
  if (Number(headers['content-length'] ?? 0) <= bodyBytes) return undefined
  return bodyTooLarge(bodyBytes)
}
