import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { WebFile } from './prepare-files.ts'

/** Encodings by their names in `Content-Encoding`. */
export type Encoding = 'identity' | 'gzip' | 'br'

/** The smallest encoding that the client accepts. A client that sends no header gets the plain bytes. */
export function pickEncoding(acceptEncoding: string | undefined): Encoding {
  const accepted = new Map<string, boolean>()
  for (const item of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    accepted.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  const accepts = (name: string) => accepted.get(name) ?? accepted.get('*') ?? false
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
}

const ENCODERS: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  identity: async (bytes) => bytes,
  gzip: promisify<Uint8Array, Uint8Array>(gzip),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
}

/** Compresses each file once per encoding, off the event loop. */
export function fileEncoder(): (file: WebFile, encoding: Encoding) => Promise<Uint8Array> {
  const encoded = new WeakMap<WebFile, Partial<Record<Encoding, Promise<Uint8Array>>>>()
  return (file, encoding) => {
    const known = encoded.get(file) ?? {}
    encoded.set(file, known)
    known[encoding] ??= ENCODERS[encoding](file.bytes)
    return known[encoding]
  }
}
