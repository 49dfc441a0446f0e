import type {
  ActiveSet,
  ChainSnapshot,
  RewardShape,
  StorageVotes,
  Validator,
  ValidatorFacts,
  ValidatorStatus,
} from '#ports/chain/staking-chain.ts'
import type { ChainReader, ChainState, Pool } from '../chain-reader.ts'
import type { Conversation } from '../connection/conversation.ts'
import type { ChainObject } from '../connection/messages.ts'
import { check, present, toBasisPoints, toDisplayName } from '../layouts/decode.ts'
import { announcedCommission, type ByEpoch, type PoolAccount, poolAmounts } from '../pools/pool.ts'
import type { NetworkConstants } from './networks.ts'
import { openDescriptions, type SelfDescription } from './self-descriptions.ts'

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
  /** Whether a commission whose epoch came while the pool was outside holds once it is back. */
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
  /** Where what it says about itself lies. */
  readonly metadataId: string
  readonly votes?: StorageVotes
}

/** Who is set to be in a committee by its stake, and how much stake that takes. */
export type WaitingSet = {
  readonly ids: readonly string[]
  readonly minJoiningStake: bigint
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

/** A pool has about two thousand bytes. */
const POOLS_PER_CALL = 200

type Members = {
  readonly committee: ReadonlySet<string>
  readonly next: ReadonlySet<string> | undefined
  readonly waiting: ReadonlySet<string>
}

export function readPoolNetwork<System extends PoolSystem>(
  constants: NetworkConstants,
  network: PoolNetwork<System>,
): ChainReader {
  const descriptions = openDescriptions(constants)
  return {
    stakedTokenType: constants.stakedTokenType,
    rateTable: network.rateTable,
    toToken: network.toToken,
    commandsFor: network.commandsFor,
    readState: (talk) => readState(talk, constants, network, descriptions),
    async readPools(talk, poolIds) {
      const { epoch } = await network.readSystem(talk)
      const found = await talk.objects(poolIds)
      const existing = found.filter((object) => object !== undefined)
      const pools = existing.map((object) => toPool(toPoolReading(network.decodePool, object), epoch))
      return { epoch, pools: new Map(pools.map((pool) => [pool.validatorId, pool])) }
    },
  }
}

async function readState<System extends PoolSystem>(
  talk: Conversation,
  constants: NetworkConstants,
  network: PoolNetwork<System>,
  descriptions: ReturnType<typeof openDescriptions>,
): Promise<ChainState> {
  const system = await network.readSystem(talk)
  const [waiting, ids] = await Promise.all([
    network.readWaitingSet(talk, system),
    talk.childrenOf(system.poolsTable),
  ])
  const found = await talk.objects(ids, POOLS_PER_CALL)
  const readings = found.map((object) => toPoolReading(network.decodePool, present(object, 'a validator')))
  checkComplete(system, readings)
  const pools = readings.map((reading) => toPool(reading, system.epoch))
  const committee = new Set(system.committee)
  const perEpoch = await network.rewardsPerEpoch(
    talk,
    system,
    pools.filter((pool) => committee.has(pool.validatorId)),
  )
  const said = await descriptions.read(talk, system.epoch, readings)
  // No answer says at which checkpoint all others were true; but what decides did not change meanwhile.
  check(
    fingerprint(await network.readSystem(talk)) === fingerprint(system),
    'the epoch changed during the read',
  )
  const rewards = { perEpoch, shape: network.rewardShape(system) }
  return { snapshot: toSnapshot({ constants, talk, system, waiting, readings, rewards, said }), pools }
}

function toPoolReading(decodePool: (contents: Uint8Array) => PoolReading, object: ChainObject): PoolReading {
  const pool = decodePool(object.contents)
  check(pool.validatorId === object.id, `pool ${object.id} says that it is ${pool.validatorId}`)
  return pool
}

function checkComplete(system: PoolSystem, readings: readonly PoolReading[]): void {
  const ids = new Set(readings.map((reading) => reading.validatorId))
  const { size } = system.poolsTable
  check(
    ids.size === readings.length && ids.size === size,
    `${size} validators expected, ${readings.length} listed`,
  )
  check(
    [...system.committee, ...(system.nextCommittee ?? [])].every((id) => ids.has(id)),
    'the committee has a member that is no validator',
  )
  check(
    readings.every((reading) => reading.latestEpoch <= system.epoch),
    'a validator is ahead of the epoch',
  )
  check(system.committee.length > 0, 'the committee is empty')
  check(system.durationMs > 0, 'an epoch takes no time')
}

function fingerprint(system: PoolSystem): string {
  const { epoch, packageId, initialSharedVersion, committee, nextCommittee } = system
  return JSON.stringify([epoch, packageId, initialSharedVersion, committee, nextCommittee ?? null])
}

function toPool(reading: PoolReading, epoch: number): Pool {
  const { validatorId, ratesTableId, lastEpoch, rewardsPool, commissionBps } = reading
  const started = reading.phase !== 'pre-active' && reading.activationEpoch <= epoch
  const activationEpoch = started ? reading.activationEpoch : undefined
  return { validatorId, ratesTableId, lastEpoch, rewardsPool, commissionBps, activationEpoch }
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

function toSnapshot(reading: Reading): ChainSnapshot {
  const { constants, talk, system, waiting, readings, rewards, said } = reading
  const { name: network, systemObjectId, coinType, stakedTokenType, symbol, decimals, minStake } = constants
  const { committee, nextCommittee, packageId, initialSharedVersion } = system
  const members = {
    committee: new Set(committee),
    next: nextCommittee && new Set(nextCommittee),
    waiting: new Set(waiting.ids),
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
      minValidatorJoiningStake: waiting.minJoiningStake,
      activeSet: { members: waiting.ids.length, ...waiting.limits },
    },
    rewards,
    validators: readings.map((pool) => ({
      ...toValidator(pool, system, members),
      facts: factsOf(pool, system, said.get(pool.validatorId)),
    })),
  }
}

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
 * A pool outside every set has too little stake. One without active stake is new or empty, and its next stake may bring
 * it in: `candidate`. One with active stake lost its place and earns nothing until that changes: `inactive`.
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
