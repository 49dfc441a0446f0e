import type { Command } from '@stakewright/contract'
import type { NetworkName } from '@stakewright/contract/networks'
import type { Simulation, SimulationRequest } from './simulation.ts'

/** A proof-of-stake network as the service sees it. Every amount is a whole number of the token's smallest unit. */

export type { Command, CommandArgument } from '@stakewright/contract'
export type { NetworkName } from '@stakewright/contract/networks'

/**
 * candidate: registered, may not validate yet · pending: joins the committee soon · active: in the committee ·
 * leaving: in the committee for the last time · inactive: out of it.
 */
export type ValidatorStatus = 'candidate' | 'pending' | 'active' | 'leaving' | 'inactive'

export type Validator = {
  readonly id: string
  readonly name: string
  readonly status: ValidatorStatus
  /** Active stake with its rewards: the stake that earns in this epoch. */
  readonly stake: bigint
  /** The stake that will be active when a stake made now becomes active: stake + pending − withdrawing. */
  readonly nextStake: bigint
  readonly pendingStake: bigint
  readonly withdrawingStake: bigint
  /** Withdrawn stake that its owner has not claimed. Undefined: the network does not report it. */
  readonly claimableStake: bigint | undefined
  /** Stakers' rewards that are not withdrawn yet. */
  readonly unclaimedRewards: bigint
  readonly commissionBps: number
  /**
   * The commission announced for a coming epoch: the highest of several, if it is a raise. Equal to `commissionBps`
   * without an announcement.
   */
  readonly nextCommissionBps: number
  /** Undefined until the next committee is selected. */
  readonly inNextCommittee: boolean | undefined
  /** Absent in snapshots stored by versions that did not read them. */
  readonly facts?: ValidatorFacts | undefined
}

/** Further on-chain facts, for display and warnings. Absent: the network has no such fact. */
export type ValidatorFacts = {
  /** The validator leaves: from this epoch on its exchange rate stops growing, even if it works longer. */
  readonly earnsUntil?: number | undefined
  /** The epoch in which the announced commission takes effect; absent without an announcement. */
  readonly commissionChangesAt?: number | undefined
  /** In parts of 10,000 of all voting power. */
  readonly votingPower?: number | undefined
  /** Shards held in the current committee. */
  readonly shards?: number | undefined
  /** Number of other validators that report it as failing in this epoch. */
  readonly reportedBy?: number | undefined
  /** Number of epochs its stake has been below the minimum for a seat; 0: not at risk. */
  readonly atRiskEpochs?: number | undefined
  readonly votes?: StorageVotes | undefined
  readonly description?: string | undefined
  readonly imageUrl?: string | undefined
  readonly projectUrl?: string | undefined
}

/** A storage node's votes: prices per unit in smallest units, and the capacity it offers in bytes. */
export type StorageVotes = {
  readonly storagePrice: bigint
  readonly writePrice: bigint
  readonly nodeCapacity: bigint
}

/** How an epoch's rewards are divided among the committee. */
export type RewardShape =
  /** Every member gets the same reward, whatever its stake (Ika). */
  | { readonly kind: 'equal-share' }
  /** In proportion to stake, up to `capShare` of the total (Sui); with `shards`, in whole shards (Walrus). */
  | { readonly kind: 'proportional'; readonly capShare: number; readonly shards?: number | undefined }

export type Epoch = {
  readonly number: number
  readonly startedAt: number
  readonly durationMs: number
  /** Once the next committee is selected, stakes and withdrawals take one epoch longer. */
  readonly nextCommitteeSelected: boolean
}

export type TokenInfo = {
  readonly symbol: string
  readonly decimals: number
  readonly coinType: string
  readonly stakedTokenType: string
  readonly minStake: bigint
}

export type SystemInfo = {
  readonly objectId: string
  readonly initialSharedVersion: string
  /** The current package, which calls go to; type names keep the original package. */
  readonly packageId: string
  /** Stake with which a newcomer is sure of a place. */
  readonly minValidatorJoiningStake: bigint
  /** Stake below which a member loses its place. */
  readonly minValidatorStake: bigint
  /** Undefined: the chain has no active set. */
  readonly activeSet: ActiveSet | undefined
}

/** The validators that coming committees are selected from, and the chain's limits on joining and leaving. */
export type ActiveSet = {
  readonly members: number
  readonly minMembers: number
  readonly maxMembers: number
  /** Joins and departures left in this epoch. Undefined: unlimited. */
  readonly changesLeft: number | undefined
}

/** Everything read at one checkpoint. Immutable; accepted whole or not at all. */
export type ChainSnapshot = {
  readonly network: NetworkName
  /** Identifies the chain, so that a node of another chain is recognised. */
  readonly chainId: string
  /** The network's own name: `mainnet`, `sandbox`, … */
  readonly chainName: string
  readonly checkpoint: number
  /** The chain's timestamp of the checkpoint. */
  readonly checkpointAt: number
  readonly epoch: Epoch
  /** The underlying chain's epoch, by which transactions expire. Absent: not reported, or in old data. */
  readonly chainEpoch?: number | undefined
  readonly token: TokenInfo
  readonly system: SystemInfo
  readonly rewards: { readonly perEpoch: bigint; readonly shape: RewardShape }
  readonly validators: readonly Validator[]
}

/** A validator's results in one completed epoch. */
export type EpochRecord = {
  readonly validatorId: string
  readonly epoch: number
  readonly endedAt: number
  /** The pool's exchange rate when the epoch ended: `shares` are worth `tokens`. */
  readonly rate: { readonly tokens: bigint; readonly shares: bigint }
  readonly stake: bigint
  readonly commissionBps: number
  /** `read` while the epoch ran; otherwise `assumed`: the one at the time of a later reading, or of unknown origin. */
  readonly commissionSource: 'read' | 'assumed'
  /** Whether it was in the committee and rewarded; undefined: the network does not report it. */
  readonly performed: boolean | undefined
  /** Shards it was paid for, by recorded stakes. Absent: none on this network, or not computed yet. */
  readonly shards?: number | undefined
}

export type StakedToken = {
  readonly id: string
  readonly owner: string
  readonly validatorId: string
  readonly principal: bigint
  readonly activationEpoch: number
  /** Set once a withdrawal is requested: the first epoch in which the stake can be withdrawn. */
  readonly withdrawEpoch: number | undefined
  /** Rewards earned so far on top of the principal. */
  readonly rewards: bigint
  /** Shares of the pool that the principal bought at the rate of its activation; undefined before that. */
  readonly shares: bigint | undefined
  /** The chain pays nothing out before this epoch, because the validator is about to join (Sui). */
  readonly boundUntil?: number | undefined
}

export type DelegatorPage = {
  /** `syncing`: the list is not built yet, or the network cannot build one. */
  readonly kind: 'ready' | 'syncing'
  readonly delegators: readonly { readonly owner: string; readonly staked: bigint; readonly tokens: number }[]
  readonly next: string | undefined
  /** False: the listed amounts sum to less than is staked, so delegators or amounts may be missing. */
  readonly isComplete: boolean
  /** When the list was built; undefined: just now. */
  readonly listedAt: number | undefined
}

export type StakingChain = {
  readonly network: NetworkName
  readSnapshot(deadline: AbortSignal): Promise<ChainSnapshot>
  /** Records of completed epochs, from `fromEpoch` on, in ascending order of epoch. */
  readEpochs(fromEpoch: number, deadline: AbortSignal): Promise<readonly EpochRecord[]>
  stakedToken(id: string, deadline: AbortSignal): Promise<StakedToken | undefined>
  /** Reads many tokens together; ids that are no staked tokens are left out. */
  stakedTokens(ids: readonly string[], deadline: AbortSignal): Promise<readonly StakedToken[]>
  stakedTokensOf(owner: string, deadline: AbortSignal): Promise<readonly StakedToken[]>
  delegatorsOf(
    validatorId: string,
    page: { readonly after: string | undefined; readonly limit: number },
    deadline: AbortSignal,
  ): Promise<DelegatorPage>
  /** The complete, ordered commands of a transaction. Pure: all ids come from the snapshot. */
  commandsFor(snapshot: ChainSnapshot, action: StakingAction): readonly Command[]
  /** Has a timeout of its own. Absent: the network cannot simulate. */
  simulate?(request: SimulationRequest, deadline: AbortSignal): Promise<Simulation>
}

export type StakingAction =
  | { readonly kind: 'stake'; readonly validatorId: string; readonly amount: bigint }
  /** Requests withdrawal of the stake; with an `amount`, that much is split off first. */
  | { readonly kind: 'unstake'; readonly stakedTokenId: string; readonly amount: bigint | undefined }
  /** Withdraws principal and rewards; with an `amount`, that much is split off first. */
  | { readonly kind: 'withdraw'; readonly stakedTokenId: string; readonly amount: bigint | undefined }
  /** Merges several tokens into the first, which then holds the principal of all. */
  | { readonly kind: 'join'; readonly stakedTokenIds: readonly string[] }
