import type { ChainSnapshot } from './staking-chain.ts'

/**
 * The full nodes of a chain, each queried on its own. A transaction is built only if all that answer agree,
 * so that no single node that is wrong about the validators or the package to call can decide.
 */
export type ChainWitnesses = {
  /** The number of configured nodes, answering or not. */
  readonly count: number
  /** Snapshots of the nodes that answer. Concurrent callers share one round of queries. */
  ask(deadline: AbortSignal): Promise<readonly ChainSnapshot[]>
}
