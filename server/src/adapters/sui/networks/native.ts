import { bcs } from '@mysten/sui/bcs'
import type { GrpcTypes } from '@mysten/sui/grpc'
import { deriveDynamicFieldID } from '@mysten/sui/utils'
import type { ChainSnapshot, Validator, ValidatorFacts } from '#ports/chain/staking-chain.ts'
import type { ChainReader, Pool, RateTable } from '../chain-reader.ts'
import type { Conversation } from '../connection/conversation.ts'
import {
  check,
  decode,
  present,
  toBasisPoints,
  toDisplayName,
  toDisplayText,
  toId,
  toWebAddress,
  toWhole,
} from '../layouts/decode.ts'
import {
  inactiveValidatorEntry,
  poolMappingEntry,
  stakedSui,
  suiRate,
  suiValidator,
} from '../layouts/native-layouts.ts'
import { openRewardMeter } from '../pools/measured-rewards.ts'
import { nextStakeOf } from '../pools/pool.ts'
import { toRate } from '../pools/share-math.ts'
import { oneStepCommands } from '../staking-commands.ts'
import type { NetworkConstants } from './networks.ts'

const ID_TYPE = '0x2::object::ID'
/**
 * SIP-39 in its last phase, of 10,000 whole parts of the voting power: `join` to come in, and from `low` on a member is
 * safe. With less it is on probation and may stay for so many epochs; below `veryLow` it leaves with the next one.
 */
export const SEAT_POWER = { join: 3n, low: 2n, veryLow: 1n, all: 10_000n, probationEpochs: 7 } as const

/** The least stake that the contract rounds to enough parts: it rounds down, so this is rounded up. */
export const leastSafeStake = (totalStake: bigint): bigint =>
  (totalStake * SEAT_POWER.low + SEAT_POWER.all - 1n) / SEAT_POWER.all

/** No validator has more than a tenth of the voting power, and rewards follow the power. */
const MAX_SHARE = 0.1

type ActiveValidator = {
  readonly address: string
  readonly pool: GrpcTypes.StakingPool
  readonly raw: GrpcTypes.Validator
}
type SystemReading = {
  readonly epoch: number
  readonly startedAt: number
  readonly durationMs: number
  readonly totalStake: bigint
  readonly active: readonly ActiveValidator[]
  readonly leaving: ReadonlySet<number>
  readonly atRisk: ReadonlyMap<string, number>
  readonly reports: ReadonlyMap<string, number>
  readonly inactiveTableId: string
  readonly mappingsTableId: string
  readonly candidatesTableId: string | undefined
}

const encodeEpoch = (epoch: number) => bcs.u64().serialize(epoch).toBytes()

const rateTable: RateTable = {
  keyType: 'u64',
  includesJoining: true,
  encodeKey: encodeEpoch,
  decodeEntry(contents) {
    const { name, value } = decode(suiRate, contents, 'an exchange rate')
    return { epoch: name, rate: toRate(value.sui_amount, value.pool_token_amount) }
  },
}

async function readSystem(talk: Conversation): Promise<SystemReading> {
  const state = present((await talk.epoch()).systemState, 'the system state')
  const set = present(state.validators, 'the validator set')
  const active = set.activeValidators.map(toActive)
  const reading = {
    epoch: toWhole(present(state.epoch, 'the epoch'), 'the epoch'),
    startedAt: toWhole(
      present(state.epochStartTimestampMs, 'the start of the epoch'),
      'the start of the epoch',
    ),
    durationMs: toWhole(
      present(state.parameters?.epochDurationMs, 'the length of an epoch'),
      'the length of an epoch',
    ),
    totalStake: present(set.totalStake, 'the total stake'),
    active,
    leaving: new Set(set.pendingRemovals.map(Number)),
    atRisk: new Map(
      Object.entries(set.atRiskValidators).map(([address, epochs]) => [
        toId(address, 'a validator at risk'),
        toWhole(epochs, 'the epochs at risk'),
      ]),
    ),
    reports: new Map(
      state.validatorReportRecords.map(({ reported, reporters }) => [
        toId(reported, 'a reported validator'),
        reporters.length,
      ]),
    ),
    inactiveTableId: toId(set.inactiveValidators?.id, 'the table of inactive validators'),
    mappingsTableId: toId(set.stakingPoolMappings?.id, 'the table of staking pools'),
    candidatesTableId: set.validatorCandidates?.id,
  }
  check(reading.durationMs > 0, 'an epoch takes no time')
  check(active.length > 0, 'there is no active validator')
  check(new Set(active.map(({ address }) => address)).size === active.length, 'a validator is listed twice')
  check(
    [...reading.leaving].every((index) => index < active.length),
    'a validator leaves that is not there',
  )
  return reading
}

function toActive(raw: GrpcTypes.Validator): ActiveValidator {
  const address = toId(raw.address, 'the address of a validator')
  return { address, raw, pool: present(raw.stakingPool, `the staking pool of ${address}`) }
}

function toValidator({ address, pool, raw }: ActiveValidator, leaving: boolean): Validator {
  const stake = present(pool.suiBalance, `the stake of ${address}`)
  const pendingStake = present(pool.pendingStake, `the pending stake of ${address}`)
  const withdrawingStake = present(pool.pendingTotalSuiWithdraw, `the withdrawals of ${address}`)
  return {
    id: address,
    name: toDisplayName(raw.name ?? ''),
    status: leaving ? 'leaving' : 'active',
    stake,
    pendingStake,
    withdrawingStake,
    nextStake: nextStakeOf(stake, pendingStake, withdrawingStake),
    // Withdrawing pays at once, so nothing ever waits for its owner.
    claimableStake: 0n,
    unclaimedRewards: present(pool.rewardsPool, `the rewards of ${address}`),
    commissionBps: commissionOf(raw.commissionRate, address),
    nextCommissionBps: commissionOf(raw.nextEpochCommissionRate, address),
    inNextCommittee: undefined,
  }
}

function commissionOf(rate: bigint | undefined, address: string): number {
  const what = `the commission of ${address}`
  return toBasisPoints(present(rate, what), what)
}

function toPool({ address, pool, raw }: ActiveValidator): Pool {
  const activated = pool.activationEpoch
  return {
    validatorId: address,
    ratesTableId: toId(pool.exchangeRates?.id, `the exchange rates of ${address}`),
    activationEpoch:
      activated === undefined ? undefined : toWhole(activated, `the activation epoch of ${address}`),
    lastEpoch: undefined,
    rewardsPool: present(pool.rewardsPool, `the rewards of ${address}`),
    commissionBps: commissionOf(raw.commissionRate, address),
  }
}

/** A pool of a validator that has left or has not begun; undefined for what was never a pool. */
async function readOtherPool(
  talk: Conversation,
  system: SystemReading,
  poolId: string,
): Promise<Pool | undefined> {
  const key = bcs.Address.serialize(poolId).toBytes()
  const [left, mapped] = await talk.objects(
    [system.inactiveTableId, system.mappingsTableId].map((table) =>
      deriveDynamicFieldID(table, ID_TYPE, key),
    ),
  )
  if (left) return readInactivePool(talk, left.contents)
  if (mapped === undefined) return undefined
  const validatorId = decode(poolMappingEntry, mapped.contents, 'the validator of a pool').value
  return {
    validatorId,
    joinsIn: (await isCandidate(talk, system, validatorId)) ? undefined : system.epoch + 1,
    ratesTableId: poolId,
    activationEpoch: undefined,
    lastEpoch: undefined,
    rewardsPool: 0n,
    commissionBps: 0,
  }
}

/** Neither active nor gone, it is a candidate or about to join; of the second kind the contract finds no pool. */
async function isCandidate(
  talk: Conversation,
  { candidatesTableId }: SystemReading,
  validatorId: string,
): Promise<boolean> {
  const key = bcs.Address.serialize(validatorId).toBytes()
  const table = toId(candidatesTableId, 'the table of candidates')
  const [entry] = await talk.objects([deriveDynamicFieldID(table, 'address', key)])
  return entry !== undefined
}

/** The entry leads to the versioned validator, which still holds the pool. */
async function readInactivePool(talk: Conversation, entry: Uint8Array): Promise<Pool> {
  const { inner } = decode(inactiveValidatorEntry, entry, 'an inactive validator').value
  const field = await talk.object(deriveDynamicFieldID(inner.id, 'u64', encodeEpoch(inner.version)))
  const validator = decode(suiValidator, field.contents, 'a validator').value
  const pool = validator.staking_pool
  return {
    validatorId: validator.metadata.sui_address,
    ratesTableId: pool.exchange_rates.id,
    activationEpoch: pool.activation_epoch ?? undefined,
    lastEpoch: pool.deactivation_epoch ?? undefined,
    rewardsPool: pool.rewards_pool.value,
    commissionBps: toBasisPoints(validator.commission_rate, 'a commission'),
  }
}

function factsOf({ address, raw }: ActiveValidator, system: SystemReading): ValidatorFacts {
  const announces = raw.nextEpochCommissionRate !== raw.commissionRate
  return {
    commissionChangesAt: announces ? system.epoch + 1 : undefined,
    votingPower:
      raw.votingPower === undefined ? undefined : toWhole(raw.votingPower, `the votes of ${address}`),
    reportedBy: system.reports.get(address) ?? 0,
    atRiskEpochs: system.atRisk.get(address) ?? 0,
    description: toDisplayText(raw.description ?? ''),
    imageUrl: toWebAddress(raw.imageUrl ?? ''),
    projectUrl: toWebAddress(raw.projectUrl ?? ''),
  }
}

function toSnapshot(
  constants: NetworkConstants,
  talk: Conversation,
  system: SystemReading,
  perEpoch: bigint,
): ChainSnapshot {
  const { systemObjectId, originalPackageId, coinType, stakedTokenType, symbol, decimals, minStake } =
    constants
  const { epoch: number, startedAt, durationMs, active, leaving, totalStake } = system
  return {
    network: constants.name,
    chainId: constants.chainId,
    chainName: talk.info.chainName,
    chainEpoch: system.epoch,
    ...talk.oldest(),
    epoch: { number, startedAt, durationMs, nextCommitteeSelected: false },
    token: { symbol, decimals, coinType, stakedTokenType, minStake },
    system: {
      objectId: systemObjectId,
      initialSharedVersion: '1',
      packageId: originalPackageId,
      minValidatorJoiningStake: leastSafeStake(totalStake),
      activeSet: undefined,
    },
    rewards: { perEpoch, shape: { kind: 'proportional', capShare: MAX_SHARE } },
    validators: active.map((validator, index) => ({
      ...toValidator(validator, leaving.has(index)),
      facts: factsOf(validator, system),
    })),
  }
}

/** Sui itself: one answer holds the whole validator set, and withdrawing takes one step. */
export function native(constants: NetworkConstants): ChainReader {
  const lastRewards = openRewardMeter(rateTable)
  return {
    stakedTokenType: constants.stakedTokenType,
    rateTable,

    async readState(talk) {
      const system = await readSystem(talk)
      const pools = system.active.map(toPool)
      const perEpoch = await lastRewards(talk, pools, system.epoch)
      return { snapshot: toSnapshot(constants, talk, system, perEpoch), pools }
    },

    async readPools(talk, poolIds) {
      const system = await readSystem(talk)
      const active = system.active.map(
        (validator) => [toId(validator.pool.id, 'the id of a pool'), toPool(validator)] as const,
      )
      const pools = new Map<string, Pool>(active)
      for (const poolId of poolIds) {
        if (pools.has(poolId)) continue
        const pool = await readOtherPool(talk, system, poolId)
        if (pool) pools.set(poolId, pool)
      }
      return { epoch: system.epoch, pools }
    },

    toToken({ contents, owner }) {
      const token = decode(stakedSui, contents, 'a staked token')
      return {
        id: token.id,
        owner,
        poolId: token.pool_id,
        principal: token.principal.value,
        activationEpoch: token.stake_activation_epoch,
        withdrawEpoch: undefined,
      }
    },

    commandsFor: oneStepCommands({
      stake: 'sui_system::request_add_stake_non_entry',
      withdraw: 'sui_system::request_withdraw_stake',
      split: 'staking_pool::split',
      join: 'staking_pool::join_staked_sui',
    }),
  }
}
