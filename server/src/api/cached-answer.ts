import { hash } from 'node:crypto'
import type { Answer, Version } from './answer.ts'
import type { Call } from './call.ts'

/** A public answer, and the one for a client that has this version already. */
export type Prepared = { readonly version: Version; readonly whole: Answer; readonly unchanged: Answer }

/** `version` is the hash of the body unless it is given. */
export function prepare(body: unknown, maxAgeSeconds: number, version?: string): Prepared {
  const text = JSON.stringify(body)
  return withVersion(text, { id: version ?? hashOf(text), isExact: true }, maxAgeSeconds)
}

/**
 * For a body that has values which change with time alone, such as the age of the data. The version covers only
 * `content`, so bodies of one version differ in the other values.
 */
export const prepareChanging = (body: unknown, maxAgeSeconds: number, content: unknown): Prepared =>
  withVersion(JSON.stringify(body), { id: hashOf(JSON.stringify(content)), isExact: false }, maxAgeSeconds)

const AGE_STEP_SECONDS = 60

/**
 * The version includes the age in full minutes. So it is the same after some seconds, and the age that a client has is
 * at most a minute old, even while the chain cannot be read.
 */
export const prepareAged = (body: Aged, maxAgeSeconds: number): Prepared =>
  prepareChanging(body, maxAgeSeconds, {
    ...body,
    dataAgeSeconds: Math.floor(body.dataAgeSeconds / AGE_STEP_SECONDS),
  })

type Aged = { readonly dataAgeSeconds: number }

const hashOf = (text: string): string => hash('sha256', text, 'hex')

function withVersion(body: string, version: Version, maxAgeSeconds: number): Prepared {
  const of = { version, maxAgeSeconds }
  return { version, whole: { body, ...of }, unchanged: { isUnchanged: true, ...of } }
}

/** Marks an answer that many calls get, so that transports cache what they derive from it. */
export const share = ({ version, whole, unchanged }: Prepared): Prepared => ({
  version,
  whole: { ...whole, isShared: true },
  unchanged: { ...unchanged, isShared: true },
})

/** The answer, or that it is unchanged: the client says that it has this version, or names it as `hash`. */
export function conditional(
  hasVersion: Call['hasVersion'],
  { version, whole, unchanged }: Prepared,
  knownHash?: string,
): Answer {
  return knownHash === version.id || hasVersion(version) ? unchanged : whole
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
