import type { ChainSnapshot } from './staking-chain.ts'

/**
 * The nodes a chain is read from, asked one by one. A transaction rests on what all of them say: one that is wrong
 * about the validators, or about the package to call, would otherwise decide alone.
 */
export type ChainWitnesses = {
  /** How many there are, answering or not. */
  readonly count: number
  /** What those say that answer. Callers of the same moment share one look. */
  ask(deadline: AbortSignal): Promise<readonly ChainSnapshot[]>
}
