import type { ActiveSet, RewardShape, StorageVotes } from '#ports/chain/staking-chain.ts'
import type { ChainReader, Pool } from '../../chain-reader.ts'
import type { Conversation } from '../../connection/conversation.ts'
import type { ByEpoch, PoolAccount } from '../../pools/pool.ts'

/** The staking system of Ika or Walrus, in common terms. */
export type PoolSystem = {
  readonly packageId: string
  readonly initialSharedVersion: string
  readonly epoch: number
  /** Undefined during the change to a new epoch. */
  readonly startedAt: number | undefined
  readonly durationMs: number
  readonly committee: readonly string[]
  /** Undefined as long as the next committee is not selected. */
  readonly nextCommittee: readonly string[] | undefined
  readonly poolsTable: { readonly id: string; readonly size: number }
  readonly waitingSetId: string
  /** Whether a commission that fell due while the pool was outside the committee applies once it is back. */
  readonly lateCommissionHolds: boolean
  /** Number of shards of each committee member; undefined on networks without shards. */
  readonly shards?: ReadonlyMap<string, number>
  /** Number of members that report a validator as failing; undefined on networks without reports. */
  readonly reports?: ReadonlyMap<string, number>
}

export type PoolReading = PoolAccount & {
  readonly validatorId: string
  readonly name: string
  readonly phase: 'pre-active' | 'active' | 'withdrawing'
  readonly activationEpoch: number
  readonly lastEpoch: number | undefined
  /** The epoch up to which the contract has updated the pool. */
  readonly latestEpoch: number
  readonly commissionBps: number
  readonly pendingCommission: ByEpoch
  readonly rewardsPool: bigint
  readonly ratesTableId: string
  /** The id of its self-description. */
  readonly metadataId: string
  readonly votes?: StorageVotes
}

/** The set from which committees are selected by stake, and the least stake to stay in it. */
export type WaitingSet = {
  readonly members: readonly { readonly id: string; readonly stake: bigint }[]
  readonly minStake: bigint
  readonly limits: Omit<ActiveSet, 'members'>
}

export type PoolNetwork<System extends PoolSystem> = Pick<
  ChainReader,
  'rateTable' | 'toToken' | 'commandsFor'
> & {
  readonly rewardShape: (system: System) => RewardShape
  readSystem(talk: Conversation): Promise<System>
  readWaitingSet(talk: Conversation, system: System): Promise<WaitingSet>
  decodePool(contents: Uint8Array): PoolReading
  rewardsPerEpoch(talk: Conversation, system: System, pools: readonly Pool[]): Promise<bigint>
}
