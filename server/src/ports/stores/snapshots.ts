import type { ChainSnapshot, EpochRecord, NetworkName } from '../chain/staking-chain.ts'

/** The last accepted snapshot and the history of completed epochs. */
export type Snapshots = {
  latest(network: NetworkName): Promise<ChainSnapshot | undefined>
  /**
   * All or nothing: a snapshot never stands beside a history that ends before it. Known records stay as they are;
   * those of epochs before `keepFromEpoch` are dropped.
   */
  save(snapshot: ChainSnapshot, records: readonly EpochRecord[], keepFromEpoch: number): Promise<void>
  /** Ascending by epoch, then by validator. */
  history(network: NetworkName, fromEpoch: number): Promise<readonly EpochRecord[]>
}
