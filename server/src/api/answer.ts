/** What an endpoint answers, for any transport. */
export type Answer = {
  readonly status?: number
  /** A value to be sent as JSON, or a text that is JSON already; undefined: nothing is sent. */
  readonly body?: unknown
  readonly cache?: CacheHint
  /** Where the answer is no JSON. Names are in lower case. */
  readonly headers?: Readonly<Record<Lowercase<string>, string>>
  /** The same object answers many calls, so a transport may cache what it derives from it. */
  readonly isShared?: true
}

/** For public data: the version of the body, and how long it may be called fresh. */
export type CacheHint = { readonly etag: string; readonly maxAgeSeconds: number }
