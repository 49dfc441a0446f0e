/** Header names are in lower case, so that looking one up needs no search. */
export type AnswerHeaders = Readonly<Record<Lowercase<string>, string>>

/**
 * What a handler returns. Bytes and text are sent as they are, `undefined` means no body, everything else is sent as
 * JSON. Bytes and text are JSON too unless `content-type` says otherwise.
 */
export type Answer = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: AnswerHeaders
  /** Becomes `ETag` and `Cache-Control`. */
  readonly cache?: { readonly etag: string; readonly maxAgeSeconds: number }
  /** The same object answers many requests: what is sent for it is worked out once. */
  readonly isShared?: true
}
