import type { Clock } from '#ports/clock.ts'

/** What one full node, or the optional GraphQL service, can do for the service. */
export type NodeReport = {
  /** `graphql`: lists who holds what is staked, and nothing else. */
  readonly kind: 'full-node' | 'graphql'
  /** Host and port; never a credential. */
  readonly endpoint: string
  /** Milliseconds until a call is answered, on average; null when none was. */
  readonly latencyMs: number | null
  /** In words where it is known: `mainnet`, `testnet`; also one that is not wanted. */
  readonly chain: string | null
  readonly epoch: number | null
  readonly validators: number | null
  readonly checkpointAgeSeconds: number | null
  /** Calls that one read of the whole set takes. */
  readonly calls: number
  /** What the service cannot get from it. */
  readonly missing: readonly string[]
  /** Why, as the node says. */
  readonly problem: string | null
}

/** Transactions need data at most this old. */
const FRESH_SECONDS = 60
export const isFresh = (ageSeconds: number): boolean => ageSeconds <= FRESH_SECONDS

export type CheckNeeds = {
  readonly clock: Clock
  readonly now: () => number
  /** How long one call may take; as long as in a service unless given. */
  readonly callMs?: number | undefined
}
