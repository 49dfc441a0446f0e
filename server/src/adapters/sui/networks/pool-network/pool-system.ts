import type { ActiveSet, RewardShape, StorageVotes } from '#ports/chain/staking-chain.ts'
import type { ChainReader, Pool } from '../../chain-reader.ts'
import type { Conversation } from '../../connection/conversation.ts'
import type { ByEpoch, PoolAccount } from '../../pools/pool.ts'

/** The staking system of Ika or Walrus, in words both share. */
export type PoolSystem = {
  readonly packageId: string
  readonly initialSharedVersion: string
  readonly epoch: number
  /** Undefined while the network is still changing over to the epoch. */
  readonly startedAt: number | undefined
  readonly durationMs: number
  readonly committee: readonly string[]
  /** Undefined as long as the next committee is not selected. */
  readonly nextCommittee: readonly string[] | undefined
  readonly poolsTable: { readonly id: string; readonly size: number }
  readonly waitingSetId: string
  /** Whether a commission that fell due while the pool was outside the committee applies once it is back. */
  readonly lateCommissionHolds: boolean
  /** How many shards each member of the committee holds, where there are shards. */
  readonly shards?: ReadonlyMap<string, number>
  /** How many members report a validator as failing, where they can. */
  readonly reports?: ReadonlyMap<string, number>
}

export type PoolReading = PoolAccount & {
  readonly validatorId: string
  readonly name: string
  readonly phase: 'pre-active' | 'active' | 'withdrawing'
  readonly activationEpoch: number
  readonly lastEpoch: number | undefined
  /** The epoch that the contract has brought the pool to. */
  readonly latestEpoch: number
  readonly commissionBps: number
  readonly pendingCommission: ByEpoch
  readonly rewardsPool: bigint
  readonly ratesTableId: string
  /** The id of its self-description. */
  readonly metadataId: string
  readonly votes?: StorageVotes
}

/** The set from which committees are selected by stake, and the stake it takes to stay in it. */
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
