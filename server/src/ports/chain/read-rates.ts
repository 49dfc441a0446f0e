import type { NetworkName } from './staking-chain.ts'

export type ReadRate = {
  /** The on-chain table that holds the pool's exchange rates. */
  readonly tableId: string
  readonly epoch: number
  /** Undefined: the chain has no rate for this epoch. */
  readonly rate: { readonly tokens: bigint; readonly shares: bigint } | undefined
}

/**
 * Exchange rates read so far for a history that is not complete yet: another process resumes from them, with
 * any node. Saving the history's records removes them.
 */
export type ReadRates = {
  load(network: NetworkName): Promise<readonly ReadRate[]>
  add(network: NetworkName, rates: readonly ReadRate[]): Promise<void>
  clear(network: NetworkName): Promise<void>
}
