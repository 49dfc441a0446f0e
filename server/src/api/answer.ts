/** The answer of an endpoint, independent of the transport. */
export type Answer = {
  readonly status?: number
  /** A value to serialize as JSON, or a string that is JSON already; undefined: no body. */
  readonly body?: unknown
  readonly cache?: CacheHint
  /** Headers of an answer that is not JSON. Names are in lower case. */
  readonly headers?: Readonly<Record<Lowercase<string>, string>>
  /** The same object answers many calls, so a transport may cache what it derives from it, such as compressed bytes. */
  readonly isShared?: true
  /** If the body has a page of a list: how to continue after a part of the page. */
  readonly part?: ListPart | undefined
}

/** For a transport that shows only the first items of a page. */
export type ListPart = {
  /** The field of the body that has the items. */
  readonly items: string
  /** The number of items from the first one here to the end of the list; undefined: unknown. */
  readonly rest: number | undefined
  /** The `cursor` that continues after the first `count` items of the page; `count` is at least 1. */
  readonly cursorAfter: (count: number) => string
}

/** For public data: the version of the body, and how long caches may treat it as fresh. */
type CacheHint = { readonly etag: string; readonly maxAgeSeconds: number }
