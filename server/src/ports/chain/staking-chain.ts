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
  /** Active stake with its rewards: what earns in this epoch. */
  readonly stake: bigint
  /** The stake that will be active when a stake made now becomes active: stake + pending − withdrawing. */
  readonly nextStake: bigint
  readonly pendingStake: bigint
  readonly withdrawingStake: bigint
  /** Withdrawn stake that waits for its owner. Undefined where the network cannot tell. */
  readonly claimableStake: bigint | undefined
  /** Rewards of stakers that nobody has withdrawn yet. */
  readonly unclaimedRewards: bigint
  readonly commissionBps: number
  /** The commission that is announced for a coming epoch; equal to `commissionBps` when none is. */
  readonly nextCommissionBps: number
  /** Undefined as long as the next committee is not selected. */
  readonly inNextCommittee: boolean | undefined
  /** Absent in data that were stored before the service knew them. */
  readonly facts?: ValidatorFacts | undefined
}

/** What the chain says about a validator beside what decisions rest on. Absent: the network has no such thing. */
export type ValidatorFacts = {
  /** It leaves: from this epoch on its exchange rate stands still, even if it works longer. */
  readonly earnsUntil?: number | undefined
  /** The epoch from which the announced commission holds; absent when none is announced. */
  readonly commissionChangesAt?: number | undefined
  /** Parts of 10,000 of all votes. */
  readonly votingPower?: number | undefined
  /** Shards it holds in the present committee. */
  readonly shards?: number | undefined
  /** How many other validators report it as failing in this epoch. */
  readonly reportedBy?: number | undefined
  /** For how many epochs its stake has been below what a seat takes; 0: it is not at risk. */
  readonly atRiskEpochs?: number | undefined
  readonly votes?: StorageVotes | undefined
  readonly description?: string | undefined
  readonly imageUrl?: string | undefined
  readonly projectUrl?: string | undefined
}

/** What a storage node votes for: prices per unit in smallest units, and the bytes it offers. */
export type StorageVotes = {
  readonly storagePrice: bigint
  readonly writePrice: bigint
  readonly nodeCapacity: bigint
}

/** How one epoch's rewards are shared among the committee. */
export type RewardShape =
  /** Each member gets the same, whatever its stake (Ika). */
  | { readonly kind: 'equal-share' }
  /** By stake, up to a share of the whole (Sui); where there are `shards`, by whole ones (Walrus). */
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
  /** The package that calls go to; types keep the original one. */
  readonly packageId: string
  readonly minValidatorJoiningStake: bigint
  /** Undefined where the chain has no such set. */
  readonly activeSet: ActiveSet | undefined
}

/** The validators that coming committees are made of, and how the chain limits their coming and going. */
export type ActiveSet = {
  readonly members: number
  readonly minMembers: number
  readonly maxMembers: number
  /** How many more may come or go in this epoch. Undefined: as many as like. */
  readonly changesLeft: number | undefined
}

/** Everything read at one checkpoint. Immutable, and accepted whole or not at all. */
export type ChainSnapshot = {
  readonly network: NetworkName
  /** Names the chain itself, so that a node of another chain is recognised. */
  readonly chainId: string
  /** As the network calls itself: `mainnet`, `sandbox`, … */
  readonly chainName: string
  readonly checkpoint: number
  /** The chain's own time of the checkpoint. */
  readonly checkpointAt: number
  readonly epoch: Epoch
  /** The epoch of the chain itself, which transactions expire by. Absent: the node, or stored data, do not tell it. */
  readonly chainEpoch?: number | undefined
  readonly token: TokenInfo
  readonly system: SystemInfo
  readonly rewards: { readonly perEpoch: bigint; readonly shape: RewardShape }
  readonly validators: readonly Validator[]
}

/** What a validator did in one completed epoch. */
export type EpochRecord = {
  readonly validatorId: string
  readonly epoch: number
  readonly endedAt: number
  /** The pool's exchange rate when the epoch ended: `shares` are worth `tokens`. */
  readonly rate: { readonly tokens: bigint; readonly shares: bigint }
  readonly stake: bigint
  readonly commissionBps: number
  /** In the committee and rewarded; undefined where the network cannot tell. */
  readonly performed: boolean | undefined
  /** The shards it was paid for, by the stakes on record. Absent: the network has none, or it was not worked out yet. */
  readonly shards?: number | undefined
}

export type StakedToken = {
  readonly id: string
  readonly owner: string
  readonly validatorId: string
  readonly principal: bigint
  readonly activationEpoch: number
  /** Set once withdrawal was requested: from this epoch on it can be withdrawn. */
  readonly withdrawEpoch: number | undefined
  /** What it has earned so far on top of the principal. */
  readonly rewards: bigint
  /** The chain pays nothing out before this epoch, whatever is asked: the validator is about to join (Sui). */
  readonly boundUntil?: number | undefined
}

export type DelegatorPage = {
  /** `syncing`: the network has no list yet, or cannot make one. */
  readonly kind: 'ready' | 'syncing'
  readonly delegators: readonly { readonly owner: string; readonly staked: bigint; readonly tokens: number }[]
  readonly next: string | undefined
  /** False: more is staked than was listed, so there may be more delegators, and amounts may be larger. */
  readonly isComplete: boolean
  /** When the list was made, if not just now. */
  readonly listedAt: number | undefined
}

export type StakingChain = {
  readonly network: NetworkName
  readSnapshot(deadline: AbortSignal): Promise<ChainSnapshot>
  /** Records of completed epochs, from `fromEpoch` on, in ascending order of epoch. */
  readEpochs(fromEpoch: number, deadline: AbortSignal): Promise<readonly EpochRecord[]>
  stakedToken(id: string, deadline: AbortSignal): Promise<StakedToken | undefined>
  /** Those of the ids that are staked tokens, read together. */
  stakedTokens(ids: readonly string[], deadline: AbortSignal): Promise<readonly StakedToken[]>
  stakedTokensOf(owner: string, deadline: AbortSignal): Promise<readonly StakedToken[]>
  delegatorsOf(
    validatorId: string,
    page: { readonly after: string | undefined; readonly limit: number },
    deadline: AbortSignal,
  ): Promise<DelegatorPage>
  /** The complete, ordered commands of a transaction; pure, from the snapshot's own ids. */
  commandsFor(snapshot: ChainSnapshot, action: StakingAction): readonly Command[]
  /** Ends by itself in good time; absent where nobody can tell. */
  simulate?(request: SimulationRequest, deadline: AbortSignal): Promise<Simulation>
}

export type StakingAction =
  | { readonly kind: 'stake'; readonly validatorId: string; readonly amount: bigint }
  /** Asks for the stake back; with an `amount`, that much is split off first. */
  | { readonly kind: 'unstake'; readonly stakedTokenId: string; readonly amount: bigint | undefined }
  /** Takes principal and rewards out; with an `amount`, that much is split off first. */
  | { readonly kind: 'withdraw'; readonly stakedTokenId: string; readonly amount: bigint | undefined }
  /** Makes one token of several: the first stays, with the principal of all. */
  | { readonly kind: 'join'; readonly stakedTokenIds: readonly string[] }
