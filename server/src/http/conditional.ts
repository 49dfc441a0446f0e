import { hash } from 'node:crypto'
import type { Answer, Payload } from './answer.ts'
import { toPayload } from './answer.ts'
import type { Inbound } from './inbound.ts'
import { matchesEtag } from './not-modified.ts'

/** A public answer as it goes out, with the name of its version. */
export type Prepared = { readonly payload: Payload; readonly etag: string }

export function prepare(body: unknown, version?: string): Prepared {
  const text = JSON.stringify(body)
  return { payload: toPayload(text), etag: `"${version ?? hash('sha256', text, 'hex')}"` }
}

/**
 * The answer, or 304 when the client has this version, by header or by the `hash` it names. `maxAgeSeconds` is how
 * long it may be called fresh.
 */
export function conditional(
  inbound: Inbound,
  { payload, etag }: Prepared,
  maxAgeSeconds: number,
  knownHash?: string,
): Answer {
  const headers = { etag, 'cache-control': `public, max-age=${maxAgeSeconds}` } as const
  const isNamed = knownHash !== undefined && `"${knownHash}"` === etag
  if (isNamed || matchesEtag(inbound.header('if-none-match'), etag)) return { status: 304, headers }
  return { body: payload, headers }
}

/** Makes a thing anew only when its source, which `sourceOf` names, is another one than last time. */
export function rememberLast<From, Made>(
  sourceOf: (from: From) => object,
  make: (from: From) => Made,
): (from: From) => Made {
  let last: { readonly source: object; readonly made: Made } | undefined
  return (from) => {
    const source = sourceOf(from)
    if (last?.source !== source) last = { source, made: make(from) }
    return last.made
  }
}
