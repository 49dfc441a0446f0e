import { scoreValidators } from '../../server/src/domain/staking/scoring/score.ts'
import { type StakeOptions, stakeOptionsOf } from '../../server/src/domain/staking/stake-options.ts'
import { YEAR_MS } from '../../server/src/durations.ts'
import type {
  ChainSnapshot,
  EpochRecord,
  RewardShape,
  Validator,
} from '../../server/src/ports/chain/staking-chain.ts'
import type { HistoryEpoch, HistoryRow } from './read-history.ts'
import type { Scenario } from './scenario.ts'

/** Solana: an epoch is about two days; one SOL is 1e9 lamports. */
const EPOCH_MS = 172_800_000
export const EPOCHS_PER_YEAR = YEAR_MS / EPOCH_MS
const SOL = 1_000_000_000n
/** Smaller validators are left out: a stake of realistic size would dominate their pools. */
const SMALLEST = 1_000n * SOL

/** The data a decision may use: all epochs up to and including `latest`, none later. */
export type MarketView = {
  readonly latest: HistoryEpoch
  /** Newest last. */
  readonly past: readonly HistoryEpoch[]
  readonly amount: bigint
  /** Whether added stake lowers the rate of a pool. */
  readonly dilutes: boolean
  /** Validators large enough to take part. */
  readonly universe: readonly HistoryRow[]
  /**
   * The market as the service's own code scores and values it. The pools of a chain include the caller's stake; those
   * of the history do not, so `held` is added to them.
   */
  readonly market: (held?: Holdings) => StakeOptions
  readonly snapshot: ChainSnapshot
  /** By validator, for all epochs up to `latest`. Later views append to the same lists. */
  readonly records: ReadonlyMap<string, readonly EpochRecord[]>
}

/** The caller's stake by validator. */
export type Holdings = ReadonlyMap<string, bigint>

/** Presents the history to the service's code as a chain would. Call once for each epoch, in order. */
export function marketViews({
  shape,
  committee,
  amount,
}: Scenario): (next: HistoryEpoch, past: readonly HistoryEpoch[]) => MarketView {
  const records = new Map<string, EpochRecord[]>()
  const rates = new Map<string, number>()
  const lastSeen = new Map<string, HistoryRow>()
  const record = (row: HistoryRow, epoch: number, earned: boolean): void => {
    const list = records.get(row.validator) ?? []
    records.set(row.validator, list)
    list.push(toRecord(row, epoch, rates.get(row.validator) ?? 1, earned))
  }
  return (latest, past) => {
    for (const row of latest.rows.values()) {
      rates.set(row.validator, (rates.get(row.validator) ?? 1) * (1 + epochRate(row.apy)))
      record(row, latest.epoch, true)
      lastSeen.set(row.validator, row)
    }
    const outside = new Map(latest.outside.map((row) => [row.validator, row]))
    for (const row of lastSeen.values()) {
      if (latest.rows.has(row.validator)) continue
      const there = outside.get(row.validator) ?? row
      outside.set(row.validator, there)
      // As on the chain: a former member keeps its exchange rate and earns nothing.
      record(there, latest.epoch, false)
    }
    const snapshot = toSnapshot(latest, shape, committee, [...outside.values()], rewardsOf(latest, shape))
    const universe = [...latest.rows.values()].filter(({ stake }) => stake >= SMALLEST)
    return {
      latest,
      past,
      amount,
      dilutes: shape.kind === 'equal-share',
      universe,
      snapshot,
      records,
      market: (held = new Map()) => {
        const joined = { ...snapshot, validators: snapshot.validators.map((one) => joinPool(one, held)) }
        return stakeOptionsOf(joined, scoreValidators(joined, records))
      },
    }
  }
}

export const epochRate = (apy: number): number => (1 + apy) ** (1 / EPOCHS_PER_YEAR) - 1

function toRecord(row: HistoryRow, epoch: number, rate: number, earned: boolean): EpochRecord {
  return {
    validatorId: row.validator,
    epoch,
    endedAt: (epoch + 1) * EPOCH_MS,
    rate: { tokens: BigInt(Math.round(rate * 1e15)), shares: 10n ** 15n },
    stake: row.stake,
    commissionBps: Math.round(row.commission * 10_000),
    commissionSource: 'read',
    performed: earned ? (row.uptime === undefined ? undefined : row.uptime >= 0.9) : false,
  }
}

function joinPool(validator: Validator, held: Holdings): Validator {
  const own = held.get(validator.id) ?? 0n
  return { ...validator, stake: validator.stake + own, nextStake: validator.nextStake + own }
}

/** Former members are listed as validators outside the committee, as on a chain. */
function toSnapshot(
  { epoch, rows }: HistoryEpoch,
  shape: RewardShape,
  committee: number | undefined,
  outside: readonly HistoryRow[],
  rewards: number,
): ChainSnapshot {
  const staked = [...rows.values()].filter(({ stake }) => stake > 0n)
  return {
    network: 'sandbox',
    chainId: 'history',
    chainName: 'history',
    checkpoint: epoch,
    checkpointAt: (epoch + 1) * EPOCH_MS,
    epoch: {
      number: epoch + 1,
      startedAt: (epoch + 1) * EPOCH_MS,
      durationMs: EPOCH_MS,
      nextCommitteeSelected: false,
    },
    token: { symbol: 'SOL', decimals: 9, coinType: '', stakedTokenType: '', minStake: SOL },
    system: {
      objectId: '',
      initialSharedVersion: '',
      packageId: '',
      minValidatorJoiningStake: SMALLEST,
      minValidatorStake: SMALLEST,
      activeSet: committee === undefined ? undefined : fullSet(committee),
    },
    rewards: { perEpoch: BigInt(Math.round(rewards)), shape },
    validators: [...staked.map(toValidator), ...outside.map(toOutsider)],
  }
}

const fullSet = (members: number) => ({
  members,
  minMembers: 0,
  maxMembers: members,
  changesLeft: undefined,
})

/** Estimates the rewards of an epoch from the recorded APYs: a chain states them, the history does not. */
function rewardsOf({ rows }: HistoryEpoch, shape: RewardShape): number {
  let [paid, seen, hidden] = [0, 0, 0]
  for (const { apy, commission, stake } of rows.values()) {
    const part = shape.kind === 'equal-share' ? 1 : Number(stake)
    if (commission < 1) {
      paid += (epochRate(apy) * Number(stake)) / (1 - commission)
      seen += part
    } else hidden += part
  }
  return seen > 0 ? (paid * (seen + hidden)) / seen : 0
}

function toValidator({ validator, stake, commission }: HistoryRow): Validator {
  const commissionBps = Math.round(commission * 10_000)
  return {
    id: validator,
    name: validator,
    status: 'active',
    stake,
    nextStake: stake,
    pendingStake: 0n,
    withdrawingStake: 0n,
    claimableStake: undefined,
    unclaimedRewards: 0n,
    commissionBps,
    nextCommissionBps: commissionBps,
    inNextCommittee: undefined,
  }
}

const toOutsider = (row: HistoryRow): Validator => ({
  ...toValidator(row),
  status: 'inactive',
  inNextCommittee: false,
})
