import type { IncomingMessage } from 'node:http'
import { LIMITS } from '@stakewright/contract/limits'
import { Fault } from '../fault.ts'
import { bodyTooLarge } from './read-body.ts'

const MAX_HEADERS = 100

/**
 * Refuses a request for its head alone, before anybody asks where it goes. Node lets all of this through, and each
 * line is a way to make two readers of the same bytes disagree, or to spend more than a request may cost.
 */
export function refuseHead(request: IncomingMessage, carriesBody: boolean): Fault | undefined {
  return (
    knownVersion(request) ??
    fewHeaders(request) ??
    noneTwice(request) ??
    oneHost(request) ??
    shortTarget(request) ??
    plainTarget(request) ??
    (carriesBody ? refuseBody(request) : undefined)
  )
}

const refuseBody = (request: IncomingMessage): Fault | undefined =>
  chunkedOnly(request) ?? bodyHasMeaning(request) ?? uncompressed(request) ?? smallEnough(request)

const refusal = (status: number, message: string) => new Fault('invalid_input', message, { status })

/** Headers that have one meaning only if they are sent once. Their names differ in length, which tells them apart. */
const SINGLE: readonly (string | undefined)[] = byLength([
  'host',
  'x-api-key',
  'content-type',
  'authorization',
  'content-length',
  'content-encoding',
  'transfer-encoding',
])

function byLength(names: readonly string[]): (string | undefined)[] {
  const table = Array<string | undefined>(1 + Math.max(...names.map((name) => name.length))).fill(undefined)
  for (const name of names) table[name.length] = name
  return table
}

function fewHeaders({ rawHeaders }: IncomingMessage) {
  if (rawHeaders.length <= 2 * MAX_HEADERS) return undefined
  return refusal(431, `The request has more than ${MAX_HEADERS} headers. Send fewer.`)
}

function noneTwice({ rawHeaders }: IncomingMessage) {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    const single = SINGLE[name.length]
    if (single === undefined || name !== single) continue
    const bit = 1 << name.length
    if (seen & bit) return refusal(400, `The header ${single} is given twice. Send it once.`)
    seen |= bit
  }
  return undefined
}

function oneHost({ headers: { host }, httpVersion }: IncomingMessage) {
  if (host === undefined) {
    return httpVersion === '1.0'
      ? undefined
      : refusal(400, 'The Host header is missing. Say which host is meant.')
  }
  return /^[\w.~%:[\]-]*$/.test(host)
    ? undefined
    : refusal(400, 'The Host header is not a host name. Correct it.')
}

function knownVersion({ httpVersion }: IncomingMessage) {
  if (httpVersion === '1.1' || httpVersion === '1.0') return undefined
  return refusal(400, 'This version of HTTP is not spoken here. Use HTTP/1.1.')
}

function shortTarget({ url = '' }: IncomingMessage) {
  if (url.length <= LIMITS.urlBytes) return undefined
  return refusal(414, `The URL is longer than ${LIMITS.urlBytes} bytes. Ask for less at a time.`)
}

/** A path, a whole URL (its path counts), or the `*` of OPTIONS. */
function plainTarget({ url = '', method }: IncomingMessage) {
  const known =
    url.startsWith('/') || /^https?:\/\/[^/?#]/i.test(url) || (url === '*' && method === 'OPTIONS')
  if (known && !url.includes('#')) return undefined
  return refusal(400, 'The request target is not a path. Begin it with / and leave out any #fragment.')
}

function chunkedOnly({ headers, httpVersion }: IncomingMessage) {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  if (coding.toLowerCase() === 'chunked' && httpVersion === '1.1') return undefined
  return refusal(
    400,
    'The only Transfer-Encoding is chunked, in HTTP/1.1. Send the body plain, with Content-Length.',
  )
}

function bodyHasMeaning({ method }: IncomingMessage) {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  return refusal(400, `A ${method} request has no body here. Use the query, or leave the body out.`)
}

function uncompressed({ headers }: IncomingMessage) {
  const coding = headers['content-encoding']
  if (coding === undefined || coding.toLowerCase() === 'identity') return undefined
  return refusal(415, 'Compressed bodies are not read. Send the body without Content-Encoding.')
}

function smallEnough({ headers }: IncomingMessage) {
  if (Number(headers['content-length'] ?? 0) <= LIMITS.bodyBytes) return undefined
  return bodyTooLarge(LIMITS.bodyBytes)
}
