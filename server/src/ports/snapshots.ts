import type { ChainSnapshot, EpochRecord, NetworkName } from './staking-chain.ts'

/** The last accepted snapshot and the history of completed epochs. */
export type Snapshots = {
  latest(network: NetworkName): Promise<ChainSnapshot | undefined>
  /** Both or none: a snapshot never stands beside a history that ends before it. Known records are kept as they are. */
  save(snapshot: ChainSnapshot, records: readonly EpochRecord[]): Promise<void>
  /** Ascending by epoch, then by validator. */
  history(network: NetworkName, fromEpoch: number): Promise<readonly EpochRecord[]>
}
