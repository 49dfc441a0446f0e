/** A route as its exchanges need to know it. */
export type ServedRoute = {
  readonly template: string
  /** Any origin may read it: a GET that needs no credential. */
  readonly isPublicRead: boolean
}
