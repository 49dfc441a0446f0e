/** A request that is to be done once, however often it is sent. */
export type OnceKey = {
  /** Of who sends it, what it asks for and the name that was given to it. */
  readonly digest: string
  /** Of its whole input. */
  readonly requestDigest: string
  readonly now: number
  /** From this moment on it is a new request. */
  readonly expiresAt: number
}

/** Requests that were done, each recorded in the commit that did it. */
export type DoneRequests = {
  find(
    digest: string,
    now: number,
  ): Promise<{ readonly requestDigest: string; readonly answer: string } | undefined>
}
