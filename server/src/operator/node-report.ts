import type { Clock } from '#ports/clock.ts'

/** The result of checking one full node or the optional GraphQL service. */
export type NodeReport = {
  /** `graphql`: lists staked tokens with their owners, and nothing else. */
  readonly kind: 'full-node' | 'graphql'
  /** Host and port; never a credential. */
  readonly endpoint: string
  /** Average milliseconds per answered call; null if none was answered. */
  readonly latencyMs: number | null
  /** The name of a known chain, `mainnet` or `testnet`, else the id; also of a wrong chain. */
  readonly chain: string | null
  readonly epoch: number | null
  readonly validators: number | null
  readonly checkpointAgeSeconds: number | null
  /** Number of calls that one read of the whole set takes. */
  readonly calls: number
  /** Reads that the service needs and the node cannot do. */
  readonly missing: readonly string[]
  /** The first problem, in the node's words. */
  readonly problem: string | null
}

/** Transactions need data at most this old. */
const FRESH_SECONDS = 60
export const isFresh = (ageSeconds: number): boolean => ageSeconds <= FRESH_SECONDS

export type CheckNeeds = {
  readonly clock: Clock
  readonly now: () => number
  /** Timeout of one call; default: that of a service. */
  readonly callMs?: number | undefined
}
