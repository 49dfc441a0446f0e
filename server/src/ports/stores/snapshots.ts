import type { SeenCommissions } from '../chain/seen-commissions.ts'
import type { ChainSnapshot, EpochRecord, NetworkName } from '../chain/staking-chain.ts'

/** The last checkpoint seen, and the identity of its content. */
export type SnapshotMark = {
  /** Equal for snapshots that differ only in when they were taken. */
  readonly contentId: string
  readonly checkpoint: number
  readonly checkpointAt: number
}

/** The last accepted snapshot and the history of completed epochs. */
export type Snapshots = {
  latest(network: NetworkName): Promise<ChainSnapshot | undefined>
  /**
   * Saves the snapshot and its epoch records in one commit. Known records stay unchanged; those of epochs
   * before `keepFromEpoch` are dropped. A snapshot with a lower checkpoint than the stored one is not saved, unless
   * it replaces one dated in the future (`replacesFuture`): then the records of epochs that are not over are dropped,
   * too.
   */
  save(
    snapshot: ChainSnapshot,
    records: readonly EpochRecord[],
    keepFromEpoch: number,
    now: number,
  ): Promise<void>
  /**
   * The commissions of each epoch, from the last snapshot saved in it: the chains keep no history of them. Kept for the
   * last completed epoch, and for earlier ones until their records are saved.
   */
  commissions(network: NetworkName, fromEpoch: number): Promise<SeenCommissions>
  /** Ascending by epoch, then by validator. */
  history(network: NetworkName, fromEpoch: number): Promise<readonly EpochRecord[]>
  /** Records the checkpoint last seen, for other instances. Older checkpoints are ignored, as by `save`. */
  noteSeen(network: NetworkName, mark: SnapshotMark, now: number): Promise<void>
  lastSeen(network: NetworkName): Promise<SnapshotMark | undefined>
}
