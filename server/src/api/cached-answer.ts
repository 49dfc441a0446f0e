import { hash } from 'node:crypto'
import type { Answer } from './answer.ts'
import { matchesEtag } from './etag.ts'

/** A public answer with its ETag, and the 304 for a client that has this version already. */
export type Prepared = { readonly etag: string; readonly whole: Answer; readonly notModified: Answer }

/** `version` is the hash of the body unless it is given. */
export function prepare(body: unknown, maxAgeSeconds: number, version?: string): Prepared {
  const text = JSON.stringify(body)
  return withTag(text, `"${version ?? hashOf(text)}"`, maxAgeSeconds)
}

/**
 * For a body that has values which change with time alone, such as the age of the data. The version covers only
 * `content`. The tag is weak, because bodies of one version differ in the other values.
 */
export const prepareChanging = (body: unknown, maxAgeSeconds: number, content: unknown): Prepared =>
  withTag(JSON.stringify(body), `W/"${hashOf(JSON.stringify(content))}"`, maxAgeSeconds)

const AGE_STEP_SECONDS = 60

/**
 * The version includes the age in full minutes. So a repeat gets 304 although seconds have passed, and the age that a
 * client has is at most a minute old, even while the chain cannot be read.
 */
export const prepareAged = (body: Aged, maxAgeSeconds: number): Prepared =>
  prepareChanging(body, maxAgeSeconds, {
    ...body,
    dataAgeSeconds: Math.floor(body.dataAgeSeconds / AGE_STEP_SECONDS),
  })

type Aged = { readonly dataAgeSeconds: number }

const hashOf = (text: string): string => hash('sha256', text, 'hex')

function withTag(text: string, etag: string, maxAgeSeconds: number): Prepared {
  const cache = { etag, maxAgeSeconds }
  return { etag, whole: { body: text, cache }, notModified: { status: 304, cache } }
}

/** Marks an answer that many calls get, so that transports cache what they derive from it. */
export const share = ({ etag, whole, notModified }: Prepared): Prepared => ({
  etag,
  whole: { ...whole, isShared: true },
  notModified: { ...notModified, isShared: true },
})

/** The answer, or 304 when the client has this version: by its conditional tag, or by the `hash` it names. */
export function conditional(ifNoneMatch: string | undefined, prepared: Prepared, knownHash?: string): Answer {
  const { etag, whole, notModified } = prepared
  const isNamed = knownHash !== undefined && `"${knownHash}"` === etag
  return isNamed || matchesEtag(ifNoneMatch, etag) ? notModified : whole
}

/** Caches the last value, and makes a new one when `sourceOf` returns another object. */
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
