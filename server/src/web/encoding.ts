import { type Encoding, encode } from '#http/wire/encoding.ts'
import type { WebFile } from './prepare-files.ts'

/** Compresses each file once per encoding, off the event loop. */
export function fileEncoder(): (file: WebFile, encoding: Encoding) => Promise<Uint8Array> {
  const encoded = new WeakMap<WebFile, Partial<Record<Encoding, Promise<Uint8Array>>>>()
  return (file, encoding) => {
    const known = encoded.get(file) ?? {}
    encoded.set(file, known)
    known[encoding] ??= encode(file.bytes, encoding, 9)
    return known[encoding]
  }
}
