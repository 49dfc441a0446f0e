/** Header names are in lower case, so that a header is found without a search. */
export type Headers = Readonly<Record<Lowercase<string>, string>>

/**
 * What a handler returns. Bytes and text are sent as they are, `undefined` means no body, everything else is sent as
 * JSON. Bytes and text are JSON too unless `content-type` says otherwise.
 */
export type HttpResponse = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Headers
  /** Becomes `ETag` and `Cache-Control`. */
  readonly cache?: { readonly etag: string; readonly maxAgeSeconds: number }
  /** The same object answers many requests: its head and bytes are made once. */
  readonly isShared?: true
}
