import { onceUnlessFailed } from '../../basics/once-unless-failed.ts'
import { type Encoding, encode, pickEncoding } from './encoding.ts'
import type { Headers, HttpResponse } from './response.ts'

/** Shorter bodies are not compressed: the bytes saved are not worth the work. */
const WORTH_BYTES = 2_048
/**
 * Responses that may be cached for this long change only with a release, so the slowest and smallest compression pays.
 */
const LASTING_SECONDS = 600
const NOT_MODIFIED = 304

type Variants = Partial<Record<Encoding, () => Promise<HttpResponse>>>

/**
 * Compresses shared responses, each once per encoding. Responses to a single request are sent uncompressed, because
 * compressing them would cost more than it saves.
 */
export function compressShared(): (
  response: HttpResponse,
  acceptEncoding: string | undefined,
) => HttpResponse | Promise<HttpResponse> {
  const known = new WeakMap<HttpResponse, Variants>()
  const notModified = new WeakMap<HttpResponse, HttpResponse>()
  return (response, acceptEncoding) => {
    const { body, isShared, status } = response
    if (!isShared) return response
    if (status === NOT_MODIFIED) return notModified.getOrInsertComputed(response, varied)
    if (!isText(body) || body.length < WORTH_BYTES) return response
    const encoding = pickEncoding(acceptEncoding)
    const variants = known.get(response) ?? {}
    known.set(response, variants)
    variants[encoding] ??= onceUnlessFailed(() => encoded(response, body, encoding))
    return variants[encoding]()
  }
}

const isText = (body: unknown): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array

async function encoded(
  response: HttpResponse,
  body: string | Uint8Array,
  encoding: Encoding,
): Promise<HttpResponse> {
  const plain = varied(response)
  if (encoding === 'identity') return plain
  const { cache } = response
  const quality = cache && cache.maxAgeSeconds >= LASTING_SECONDS ? 9 : 4
  const bytes = await encode(typeof body === 'string' ? Buffer.from(body) : body, encoding, quality)
  return {
    ...plain,
    body: bytes,
    // A weak ETag: the same content in other bytes.
    ...(cache && { cache: { ...cache, etag: toWeak(cache.etag) } }),
    headers: {
      ...plain.headers,
      ...(plain.headers.etag !== undefined && { etag: toWeak(plain.headers.etag) }),
      'content-encoding': encoding,
    },
  }
}

/** Adds `Vary: Accept-Encoding`, so that caches store one response per encoding; a 304 must have it like its 200. */
function varied(response: HttpResponse): HttpResponse & { readonly headers: Headers } {
  const names = new Set([...(response.headers?.vary?.split(', ') ?? []), 'accept-encoding'])
  return { ...response, headers: { ...response.headers, vary: [...names].join(', ') } }
}

const toWeak = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)
