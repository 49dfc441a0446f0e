/** A request with an idempotency key, to be carried out only once. */
export type IdempotentRequest = {
  /** Digest of the idempotency key, its endpoint and its requester; for a build, the network instead. */
  readonly digest: string
  /** Digest of the entire input. */
  readonly requestDigest: string
  readonly now: number
  /** From this moment on the key may be reused for a new request. */
  readonly expiresAt: number
}

/** A completed request, and the answer to its repeats. */
export type CompletedRequest = IdempotentRequest & { readonly answer: string }

/** A transaction built by a request with an idempotency key. */
export type KeptBuild = CompletedRequest & {
  readonly intentId: string
  /** The most builds kept for one agent. */
  readonly most: number
}

export type FoundRequest = {
  readonly requestDigest: string
  readonly answer: string
  /** Whether the transaction's reservation was released. */
  readonly isReleased?: boolean
}

export type FindCompleted = (digest: string, now: number) => Promise<FoundRequest | undefined>

/** Completed requests, each recorded in the commit that carried it out. */
export type CompletedRequests = { readonly find: FindCompleted }

/**
 * Transactions built by requests with an idempotency key. A build that counts against a window is committed
 * with its reservation instead.
 */
export type KeptBuilds = {
  /** Finds a build of the agent, or of one it has replaced. */
  find(agentNo: number, ...of: Parameters<FindCompleted>): ReturnType<FindCompleted>
  /** Deletes the agent's expired builds. Rejects with a Fault if the build is kept already, or the agent has too many. */
  keep(agentNo: number, build: KeptBuild): Promise<void>
}
