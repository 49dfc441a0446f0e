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

/** One that was done, and what a repeat of it is answered. */
export type DoneRequest = OnceKey & { readonly answer: string }

/** A transaction that was built by a request with a name. */
export type KeptBuild = DoneRequest & {
  readonly intentId: string
  /** An agent has so many of them at a time, and no more. */
  readonly most: number
}

export type FoundRequest = {
  readonly requestDigest: string
  readonly answer: string
  /** The room that the transaction had reserved was given back. */
  readonly isFree?: boolean
}

export type FindDone = (digest: string, now: number) => Promise<FoundRequest | undefined>

/** Requests that were done, each recorded in the commit that did it. */
export type DoneRequests = { readonly find: FindDone }

/** Transactions that were built by requests with a name. What counts against a window is kept by its reservation. */
export type KeptBuilds = {
  /** Of an agent, or of one that it has replaced. */
  find(agentNo: number, ...of: Parameters<FindDone>): ReturnType<FindDone>
  /** Rejects with a Fault when it was kept already, or the agent has too many. */
  keep(agentNo: number, build: KeptBuild): Promise<void>
  /** Those that ended before. An agent's own go whenever it keeps another one. */
  forget(before: number): Promise<void>
}
