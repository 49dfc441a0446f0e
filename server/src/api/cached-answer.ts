import { hash } from 'node:crypto'
import { type Answer, toPayload } from './answer.ts'
import type { Inbound } from './inbound.ts'
import { matchesEtag } from './not-modified.ts'

/** A public answer as it goes out, with the name of its version, and the one for who has it already. */
export type Prepared = { readonly etag: string; readonly whole: Answer; readonly notModified: Answer }

/** `maxAgeSeconds` is how long it may be called fresh. */
export function prepare(body: unknown, maxAgeSeconds: number, version?: string): Prepared {
  const text = JSON.stringify(body)
  const etag = `"${version ?? hash('sha256', text, 'hex')}"`
  const headers = { etag, 'cache-control': `public, max-age=${maxAgeSeconds}` }
  return { etag, whole: { body: toPayload(text), headers }, notModified: { status: 304, headers } }
}

/** For what is given to many as it is; what is prepared for one request is not worth keeping. */
export const keep = ({ etag, whole, notModified }: Prepared): Prepared => ({
  etag,
  whole: { ...whole, isKept: true },
  notModified: { ...notModified, isKept: true },
})

/** The answer, or 304 when the client has this version, by header or by the `hash` it names. */
export function conditional(inbound: Inbound, prepared: Prepared, knownHash?: string): Answer {
  const { etag, whole, notModified } = prepared
  const isNamed = knownHash !== undefined && `"${knownHash}"` === etag
  return isNamed || matchesEtag(inbound.header('if-none-match'), etag) ? notModified : whole
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
