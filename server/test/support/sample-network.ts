import { withShards } from '#domain/network/shards-on-record.ts'
import type {
  ActiveSet,
  ChainSnapshot,
  EpochRecord,
  NetworkName,
  RewardShape,
  StakedToken,
  Validator,
} from '#ports/chain/staking-chain.ts'
import { DAY_MS } from '../../src/durations.ts'
import { apportionShards } from '../../src/shards.ts'

/** A made-up network for tests and benchmarks: the same seed gives the same network. */
export type SampleNetwork = {
  readonly snapshot: ChainSnapshot
  readonly records: ReadonlyMap<string, readonly EpochRecord[]>
}

export type SampleValidator = {
  readonly id: string
  /** In whole tokens. */
  readonly stake: number
  readonly commissionBps?: number
  readonly nextCommissionBps?: number
  readonly commissionAt?: (epoch: number) => number
  /** The reward earned in an epoch, relative to the reward due. */
  readonly earnedAt?: (epoch: number) => number
  readonly firstEpoch?: number
  readonly status?: Validator['status']
  readonly inNextCommittee?: boolean
}

export const TOKEN = 1_000_000_000n
const EPOCH = 100

export function sampleNetwork(
  validators: readonly SampleValidator[],
  options: {
    readonly network?: NetworkName
    readonly shape?: RewardShape
    readonly yearlyRate?: number
    readonly nextCommitteeSelected?: boolean
    readonly minValidatorStake?: bigint
    readonly activeSet?: ActiveSet
  } = {},
): SampleNetwork {
  const shape = options.shape ?? { kind: 'equal-share' }
  const total = validators.reduce((sum, { stake }) => sum + stake, 0)
  const perEpoch = (total * (options.yearlyRate ?? 0.05)) / 365
  const snapshot: ChainSnapshot = {
    network: options.network ?? 'sandbox',
    chainId: 'sample',
    chainName: 'sample',
    checkpoint: 1,
    checkpointAt: EPOCH * DAY_MS,
    epoch: {
      number: EPOCH,
      startedAt: EPOCH * DAY_MS,
      durationMs: DAY_MS,
      nextCommitteeSelected: options.nextCommitteeSelected ?? false,
    },
    token: {
      symbol: 'TOK',
      decimals: 9,
      coinType: '0x1::tok::TOK',
      stakedTokenType: '0x1::staked::S',
      minStake: TOKEN,
    },
    system: {
      objectId: '0x5',
      initialSharedVersion: '1',
      packageId: '0x3',
      minValidatorJoiningStake: options.minValidatorStake ?? 0n,
      minValidatorStake: options.minValidatorStake ?? 0n,
      activeSet: options.activeSet,
    },
    rewards: { perEpoch: toUnits(perEpoch), shape },
    validators: validators.map(toValidator),
  }
  const dues = duesOf(validators, shape, perEpoch)
  const records = validators.flatMap((one, index) => historyOf(one, dues[index] ?? 0))
  const histories = Map.groupBy(withShards(records, shape), ({ validatorId }) => validatorId)
  return { snapshot, records: new Map(validators.map(({ id }) => [id, histories.get(id) ?? []])) }
}

/** By validator: the reward due per staked unit and epoch, before commission. */
function duesOf(
  validators: readonly SampleValidator[],
  shape: RewardShape,
  perEpoch: number,
): readonly number[] {
  if (shape.kind === 'equal-share') return validators.map(({ stake }) => perEpoch / validators.length / stake)
  const total = validators.reduce((sum, { stake }) => sum + stake, 0)
  const { shards } = shape
  if (shards === undefined) return validators.map(() => perEpoch / total)
  const given = apportionShards(
    validators.map(({ stake }) => toUnits(stake)),
    shards,
  )
  return validators.map(({ stake }, index) => (perEpoch * (given[index] ?? 0)) / shards / stake)
}

/** Validators as a network has them: a few large ones, many small ones, and no two alike. */
export function variedValidators(count: number, seed: number): readonly SampleValidator[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const reliability = random() < 0.8 ? 1 : 0.9 + 0.1 * random()
    const misses = new Set(Array.from({ length: 40 }, (_, epoch) => (random() > reliability ? epoch : -1)))
    return {
      id: `v${String(index).padStart(5, '0')}`,
      stake: Math.round(30_000_000 * Math.exp(1.2 * Math.abs(gaussian(random)))),
      commissionBps: Math.round(2_000 * random() ** 2),
      earnedAt: (epoch: number) => (misses.has(epoch - 60) ? 0 : 1),
    }
  })
}

/** mulberry32: small, fast, and good enough to make up a network. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const toUnits = (tokens: number): bigint => BigInt(Math.round(tokens * 1e9))

function toValidator(one: SampleValidator): Validator {
  const commissionBps = one.commissionBps ?? 0
  return {
    id: one.id,
    name: one.id,
    status: one.status ?? 'active',
    stake: toUnits(one.stake),
    nextStake: toUnits(one.stake),
    pendingStake: 0n,
    withdrawingStake: 0n,
    claimableStake: 0n,
    unclaimedRewards: 0n,
    commissionBps,
    nextCommissionBps: one.nextCommissionBps ?? commissionBps,
    inNextCommittee: one.inNextCommittee,
  }
}

function historyOf(one: SampleValidator, due: number): readonly EpochRecord[] {
  const records: EpochRecord[] = []
  let rate = 1
  for (let epoch = one.firstEpoch ?? 60; epoch < EPOCH; epoch++) {
    const commissionBps = one.commissionAt?.(epoch) ?? one.commissionBps ?? 0
    const earned = one.earnedAt?.(epoch) ?? 1
    rate *= 1 + due * earned * (1 - commissionBps / 10_000)
    records.push({
      validatorId: one.id,
      epoch,
      endedAt: (epoch + 1) * DAY_MS,
      rate: { tokens: BigInt(Math.round(rate * 1e15)), shares: 10n ** 15n },
      stake: toUnits(one.stake),
      commissionBps,
      commissionSource: 'read',
      performed: earned > 0,
    })
  }
  return records
}

/** A token that has been staked for a long time. */
export const stakedToken = (id: string, validatorId: string, principal: bigint): StakedToken => ({
  id,
  owner: '0x1',
  validatorId,
  principal,
  activationEpoch: 2,
  withdrawEpoch: undefined,
  rewards: 0n,
  shares: undefined,
})

/** A token whose id is derived from its validator. */
export const sampleToken = (validatorId: string, principal: bigint): StakedToken =>
  stakedToken(`token of ${validatorId}`, validatorId, principal)
