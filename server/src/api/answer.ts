/** The answer of an endpoint, independent of the transport. */
export type Answer = {
  /** Its status in the contract; 200 if left out. */
  readonly status?: number
  /** A value to serialize as JSON, or a string that is JSON already; undefined: no body. */
  readonly body?: unknown
  /** The version of the body, by which clients ask for changes and say what they replace. */
  readonly version?: Version
  /** For public data: how long caches may treat it as fresh. */
  readonly maxAgeSeconds?: number
  /** The client has this version already, so the answer has no body. */
  readonly isUnchanged?: true
  /** The stored answer of an earlier call with the same idempotency key. */
  readonly isReplay?: true
  /** Left out: JSON. */
  readonly mediaType?: string
  /** How to continue a list whose body has no room for it. */
  readonly nextCursor?: string
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

/** `isExact`: bodies of one version have equal bytes. Others differ in values that change with time alone. */
export type Version = { readonly id: string; readonly isExact: boolean }
