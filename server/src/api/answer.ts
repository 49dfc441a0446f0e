/** What an endpoint answers, for any transport. */
export type Answer = {
  readonly status?: number
  /** A value to be sent as JSON, or a text that is JSON already; undefined: nothing is sent. */
  readonly body?: unknown
  readonly cache?: CacheHint
  /** Headers of an answer that is not JSON. Names are in lower case. */
  readonly headers?: Readonly<Record<Lowercase<string>, string>>
  /** The same object answers many calls, so a transport may cache what it derives from it. */
  readonly isShared?: true
  /** Where the body has a page of a list: how to go on after a part of the page. */
  readonly part?: ListPart | undefined
}

/** For a transport that shows fewer items of a page than it was given. */
export type ListPart = {
  /** The field of the body that has the items. */
  readonly items: string
  /** The number of items from the first one here to the end of the list; undefined: unknown. */
  readonly rest: number | undefined
  /** The `cursor` of what comes after the first `count` items here; `count` is at least 1. */
  readonly cursorAfter: (count: number) => string
}

/** For public data: the version of the body, and how long it may be called fresh. */
type CacheHint = { readonly etag: string; readonly maxAgeSeconds: number }
