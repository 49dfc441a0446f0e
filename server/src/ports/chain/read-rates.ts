import type { NetworkName } from './staking-chain.ts'

export type ReadRate = {
  /** Where the pool keeps its rates. */
  readonly tableId: string
  readonly epoch: number
  /** Undefined: the chain has none for this epoch. */
  readonly rate: { readonly tokens: bigint; readonly shares: bigint } | undefined
}

/**
 * Exchange rates that were read for a history which is not complete yet: another process continues there, with whichever
 * node. Saving the records of the history removes them.
 */
export type ReadRates = {
  load(network: NetworkName): Promise<readonly ReadRate[]>
  add(network: NetworkName, rates: readonly ReadRate[]): Promise<void>
  clear(network: NetworkName): Promise<void>
}
