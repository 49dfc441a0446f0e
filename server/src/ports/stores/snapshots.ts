import type { ChainSnapshot, EpochRecord, NetworkName } from '../chain/staking-chain.ts'

/** How far the chain was last seen, and with which content. */
export type SnapshotMark = {
  /** Equal for snapshots that differ in nothing but the time they were taken. */
  readonly contentId: string
  readonly checkpoint: number
  readonly checkpointAt: number
}

/** The last accepted snapshot and the history of completed epochs. */
export type Snapshots = {
  latest(network: NetworkName): Promise<ChainSnapshot | undefined>
  /**
   * All or nothing: records come with the snapshot that they were read with. Known records stay as
   * they are; those of epochs before `keepFromEpoch` are dropped.
   */
  save(snapshot: ChainSnapshot, records: readonly EpochRecord[], keepFromEpoch: number): Promise<void>
  /** Ascending by epoch, then by validator. */
  history(network: NetworkName, fromEpoch: number): Promise<readonly EpochRecord[]>
  /** Notes that the chain was seen at this checkpoint, for other instances. One that is behind changes nothing. */
  noteSeen(network: NetworkName, mark: SnapshotMark): Promise<void>
  lastSeen(network: NetworkName): Promise<SnapshotMark | undefined>
}
