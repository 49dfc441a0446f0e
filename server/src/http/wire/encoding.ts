import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib'

/** Encodings by their names in `Content-Encoding`. */
export type Encoding = 'identity' | 'gzip' | 'br'

/** The encoding with the smallest result that the client accepts; `identity` without the header. */
export function pickEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity'
  const accepted = new Map<string, boolean>()
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    accepted.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  const accepts = (name: string) => accepted.get(name) ?? accepted.get('*') ?? false
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
}

const compressGzip = promisify<Uint8Array, Uint8Array>(gzip)
const compressBrotli = promisify(brotliCompress)

/**
 * Compresses in the thread pool. `quality` is Brotli's: 4 for responses that change often, 9 for files that change
 * with a release only.
 */
export async function encode(bytes: Uint8Array, encoding: Encoding, quality: 4 | 9): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes
  if (encoding === 'gzip') return compressGzip(bytes)
  return compressBrotli(bytes, brotliOptions(bytes, quality))
}

/** Compresses synchronously with Brotli, for worker threads. */
export const compressOnce = (bytes: Uint8Array): Uint8Array =>
  brotliCompressSync(bytes, brotliOptions(bytes, 9))

const brotliOptions = (bytes: Uint8Array, quality: 4 | 9) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
})
