import type { ChainSnapshot, Validator, ValidatorFacts, ValidatorStatus } from '#ports/chain/staking-chain.ts'
import type { Conversation } from '../../connection/conversation.ts'
import { toBasisPoints, toDisplayName } from '../../layouts/decode.ts'
import { announcedCommission, poolAmounts } from '../../pools/pool.ts'
import type { NetworkConstants } from '../networks.ts'
import type { SelfDescription } from '../self-descriptions.ts'
import type { PoolReading, PoolSystem, WaitingSet } from './pool-system.ts'

type Members = {
  readonly committee: ReadonlySet<string>
  readonly next: ReadonlySet<string> | undefined
  readonly waiting: ReadonlySet<string>
}

type Reading = {
  readonly constants: NetworkConstants
  readonly talk: Conversation
  readonly system: PoolSystem
  readonly waiting: WaitingSet
  readonly readings: readonly PoolReading[]
  readonly rewards: ChainSnapshot['rewards']
  readonly said: ReadonlyMap<string, SelfDescription>
}

export function toSnapshot(reading: Reading): ChainSnapshot {
  const { constants, talk, system, waiting, readings, rewards, said } = reading
  const { name: network, systemObjectId, coinType, stakedTokenType, symbol, decimals, minStake } = constants
  const { committee, nextCommittee, packageId, initialSharedVersion } = system
  const members = {
    committee: new Set(committee),
    next: nextCommittee && new Set(nextCommittee),
    waiting: new Set(waiting.members.map(({ id }) => id)),
  }
  return {
    network,
    chainId: constants.chainId,
    chainName: talk.info.chainName,
    chainEpoch: talk.info.epoch,
    ...talk.oldest(),
    epoch: {
      number: system.epoch,
      startedAt: system.startedAt ?? talk.oldest().checkpointAt,
      durationMs: system.durationMs,
      nextCommitteeSelected: nextCommittee !== undefined,
    },
    token: { symbol, decimals, coinType, stakedTokenType, minStake },
    system: {
      objectId: systemObjectId,
      initialSharedVersion,
      packageId,
      minValidatorJoiningStake: stakeToEnter(waiting),
      minValidatorStake: waiting.minStake,
      activeSet: { members: waiting.members.length, ...waiting.limits },
    },
    rewards,
    validators: readings.map((pool) => ({
      ...toValidator(pool, system, members),
      facts: factsOf(pool, system, said.get(pool.validatorId)),
    })),
  }
}

/** The least stake to enter: in a full set one unit more than that of the smallest member, which is replaced. */
function stakeToEnter({ members, minStake, limits }: WaitingSet): bigint {
  if (members.length < limits.maxMembers) return minStake
  const above = members.map(({ stake }) => stake).reduce(smaller) + 1n
  return above > minStake ? above : minStake
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other)

function toValidator(reading: PoolReading, system: PoolSystem, members: Members): Validator {
  const { validatorId, commissionBps } = reading
  const { epoch } = system
  const announced = announcedCommission(reading.pendingCommission, commissionBps, system)
  return {
    id: validatorId,
    name: toDisplayName(reading.name),
    status: statusOf(reading, epoch, members),
    ...poolAmounts(reading, epoch),
    claimableStake: undefined,
    unclaimedRewards: reading.rewardsPool,
    commissionBps,
    nextCommissionBps: toBasisPoints(announced.rate, `the announced commission of ${validatorId}`),
    inNextCommittee: members.next?.has(validatorId),
  }
}

function factsOf(pool: PoolReading, system: PoolSystem, said: SelfDescription | undefined): ValidatorFacts {
  const { validatorId, pendingCommission, commissionBps, votes } = pool
  return {
    earnsUntil: pool.lastEpoch,
    commissionChangesAt: announcedCommission(pendingCommission, commissionBps, system).fromEpoch,
    shards: system.shards && (system.shards.get(validatorId) ?? 0),
    reportedBy: system.reports && (system.reports.get(validatorId) ?? 0),
    votes,
    ...said,
  }
}

/**
 * A pool outside all sets has too little stake. Without active stake it is new or empty and may still enter:
 * `candidate`. With active stake it has lost its place and earns nothing: `inactive`.
 */
function statusOf(reading: PoolReading, epoch: number, members: Members): ValidatorStatus {
  const { validatorId, phase, activationEpoch, shares } = reading
  const sits = members.committee.has(validatorId)
  if (phase === 'withdrawing') return sits ? 'leaving' : 'inactive'
  if (sits) return 'active'
  const waits = members.waiting.has(validatorId) || members.next?.has(validatorId)
  if (phase === 'active' && waits) return 'pending'
  const isNew = phase === 'pre-active' || activationEpoch > epoch || shares === 0n
  return isNew ? 'candidate' : 'inactive'
}
