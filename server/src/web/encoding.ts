import { type Encoding, encode } from '#http/wire/encoding.ts'
import { onceUnlessFailed } from '../basics/once-unless-failed.ts'
import type { WebFile } from './prepare-files.ts'

/**
 * Compresses each file once per encoding, off the event loop. Brotli, which nearly all browsers accept, is
 * precomputed.
 */
export function fileEncoder(): (file: WebFile, encoding: Encoding) => Promise<Uint8Array> {
  const encoded = new WeakMap<WebFile, Partial<Record<Encoding, () => Promise<Uint8Array>>>>()
  return (file, encoding) => {
    const known = encoded.get(file) ?? {}
    encoded.set(file, known)
    known[encoding] ??= onceUnlessFailed(async () =>
      encoding === 'br' ? file.brotli : encode(file.bytes, encoding, 9),
    )
    return known[encoding]()
  }
}
