import { median } from '../../server/src/domain/network/median.ts'
import { YEAR_MS } from '../../server/src/domain/network/year.ts'
import { scoreValidators } from '../../server/src/domain/staking/score.ts'
import { type StakeOptions, stakeOptionsOf } from '../../server/src/domain/staking/stake-options.ts'
import type {
  ChainSnapshot,
  EpochRecord,
  RewardShape,
  Validator,
} from '../../server/src/ports/staking-chain.ts'
import type { HistoryEpoch, HistoryRow } from './read-history.ts'
import type { Scenario } from './scenario.ts'

/** Solana: an epoch is about two days; one SOL is 1e9 lamports. */
const EPOCH_MS = 172_800_000
export const EPOCHS_PER_YEAR = YEAR_MS / EPOCH_MS
const SOL = 1_000_000_000n
/** Smaller validators are left out: a real stake would change them altogether. */
const SMALLEST = 1_000n * SOL

/** What is known when the decision is made: everything up to and including `latest`, and nothing later. */
export type MarketView = {
  readonly latest: HistoryEpoch
  /** Newest last. */
  readonly past: readonly HistoryEpoch[]
  readonly amount: bigint
  /** Validators large enough to take part. */
  readonly universe: readonly HistoryRow[]
  /** As the service sees it: the same code scores and values the validators. */
  readonly market: () => StakeOptions
}

/** Epoch by epoch, hands the history to the service's own code as the chain would. */
export function marketViews({
  shape,
  amount,
}: Scenario): (next: HistoryEpoch, past: readonly HistoryEpoch[]) => MarketView {
  const records = new Map<string, EpochRecord[]>()
  const rates = new Map<string, number>()
  const lastSeen = new Map<string, HistoryRow>()
  return (latest, past) => {
    for (const row of latest.rows.values()) {
      const rate = (rates.get(row.validator) ?? 1) * (1 + epochRate(row.apy))
      rates.set(row.validator, rate)
      const list = records.get(row.validator) ?? []
      records.set(row.validator, list)
      list.push(toRecord(row, latest.epoch, rate))
      lastSeen.set(row.validator, row)
    }
    const universe = [...latest.rows.values()].filter(({ stake }) => stake >= SMALLEST)
    let market: StakeOptions | undefined
    return {
      latest,
      past,
      amount,
      universe,
      market: () => {
        const outside = new Map(latest.outside.map((row) => [row.validator, row]))
        for (const row of lastSeen.values()) {
          if (!latest.rows.has(row.validator) && !outside.has(row.validator)) outside.set(row.validator, row)
        }
        const snapshot = toSnapshot(latest, shape, [...outside.values()])
        market ??= stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
        return market
      },
    }
  }
}

export const epochRate = (apy: number): number => (1 + apy) ** (1 / EPOCHS_PER_YEAR) - 1

function toRecord(row: HistoryRow, epoch: number, rate: number): EpochRecord {
  return {
    validatorId: row.validator,
    epoch,
    endedAt: (epoch + 1) * EPOCH_MS,
    rate: { tokens: BigInt(Math.round(rate * 1e15)), shares: 10n ** 15n },
    stake: row.stake,
    commissionBps: Math.round(row.commission * 10_000),
    performed: row.uptime === undefined ? undefined : row.uptime >= 0.9,
  }
}

/** Validators that were there once and are not any more are outside the committee, as a chain would say. */
function toSnapshot(
  { epoch, rows }: HistoryEpoch,
  shape: RewardShape,
  outside: readonly HistoryRow[],
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
    system: { objectId: '', initialSharedVersion: '', packageId: '', minValidatorJoiningStake: SMALLEST },
    rewards: { perEpoch: BigInt(Math.round(typicalPot(staked, shape))), shape },
    validators: [...staked.map(toValidator), ...outside.map(toOutsider)],
  }
}

/** The rewards of an epoch, from what the typical validator paid: chains say it, this history does not. */
function typicalPot(rows: readonly HistoryRow[], shape: RewardShape): number {
  const total = rows.reduce((sum, { stake }) => sum + Number(stake), 0)
  const pots = rows
    .filter(({ commission }) => commission < 1)
    .map(({ apy, commission, stake }) => {
      const rate = epochRate(apy) / (1 - commission)
      return shape.kind === 'equal-share' ? rate * Number(stake) * rows.length : rate * total
    })
  return median(pots)
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
