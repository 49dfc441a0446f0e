/** Header names are in lower case, so that a header is found by a plain look-up. */
export type Headers = Readonly<Record<Lowercase<string>, string>>

/**
 * The response of a handler. Bytes and strings are sent unchanged, `undefined` means no body, other values are
 * serialized as JSON. Without a `content-type` bytes and strings are declared as JSON, too.
 */
export type HttpResponse = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Headers
  /** Becomes `ETag` and `Cache-Control`. */
  readonly cache?: { readonly etag: string; readonly maxAgeSeconds: number }
  /** The same object answers many requests, so its head and bytes are cached. */
  readonly isShared?: true
}
