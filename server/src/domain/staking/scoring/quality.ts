import type { ChainSnapshot, EpochRecord, RewardShape } from '#ports/chain/staking-chain.ts'
import { ascending, median } from '../../network/median.ts'
import { separateSeries } from '../../network/rate-series.ts'
import { epochsPerYear } from '../../network/year.ts'
import { SCORING } from './scoring-rules.ts'

/**
 * The quality of a validator's work, independent of commission and size: its earnings relative to the median validator
 * in the same epochs. 1 is typical, 0 earned nothing.
 */
export type Quality = {
  /** Completed epochs of the window that have a record. */
  readonly epochs: number
  /** Epochs among them in which it missed its duty. */
  readonly missed: number
  /** Expected quality: the mean of history and prior. */
  readonly expected: number
  /** A cautious estimate: the expected quality minus one standard error. */
  readonly assured: number
  /** Standard deviation from epoch to epoch. */
  readonly deviation: number
}

type Observation = { readonly epoch: number; readonly earned: number | undefined; readonly good: boolean }

const { windows, prior } = SCORING

export function measureQuality(
  { epoch, rewards, validators }: ChainSnapshot,
  records: ReadonlyMap<string, readonly EpochRecord[]>,
): ReadonlyMap<string, Quality> {
  const perYear = epochsPerYear(epoch.durationMs)
  const observed = new Map<string, readonly Observation[]>()
  for (const { id } of validators) {
    const inWindow = (records.get(id) ?? []).filter(
      (record) => record.epoch >= epoch.number - 1 - windows.history && record.epoch < epoch.number,
    )
    observed.set(id, observe(inWindow, rewards.shape, perYear))
  }
  const typical = typicalEarnings(observed)
  return new Map([...observed].map(([id, observations]) => [id, summarise(observations, typical)]))
}

/** Earnings before commission per epoch: per pool (equal pay), per shard, or per staked unit. */
function observe(
  records: readonly EpochRecord[],
  shape: RewardShape,
  perYear: number,
): readonly Observation[] {
  const [pool] = separateSeries(records, perYear)
  if (!pool) return []
  return pool.points.slice(1).map((record, index) => {
    const step = Math.expm1(pool.steps[index]?.perEpoch ?? 0)
    const growth = step > SCORING.rounding ? step : 0
    const kept = 1 - record.commissionBps / 10_000
    const size = sizeOf(record, shape)
    return {
      epoch: record.epoch,
      // Unknown with a commission of 100%, and without a shard, which cannot earn.
      earned: kept > 0 && size > 0 ? (growth * size) / kept : undefined,
      good: record.performed ?? growth > 0,
    }
  })
}

function sizeOf({ stake, shards }: EpochRecord, shape: RewardShape): number {
  if (shape.kind === 'equal-share') return Number(stake)
  if (shards === undefined) return 1
  return shards === 0 ? 0 : Number(stake) / shards
}

function typicalEarnings(observed: ReadonlyMap<string, readonly Observation[]>): ReadonlyMap<number, number> {
  const byEpoch = new Map<number, number[]>()
  for (const observations of observed.values()) {
    for (const { epoch, earned } of observations) {
      if (earned === undefined || earned <= 0) continue
      const sameEpoch = byEpoch.get(epoch)
      if (sameEpoch) sameEpoch.push(earned)
      else byEpoch.set(epoch, [earned])
    }
  }
  return new Map([...byEpoch].map(([epoch, earnings]) => [epoch, median(earnings)]))
}

function summarise(observations: readonly Observation[], typical: ReadonlyMap<number, number>): Quality {
  const relative: number[] = []
  for (const { epoch, earned } of observations) {
    const usual = typical.get(epoch)
    if (earned !== undefined && usual !== undefined) relative.push(earned / usual)
  }
  const values = cutSpikes(relative)
  const n = values.length
  const expected = (sum(values) + prior.epochs * prior.quality) / (n + prior.epochs)
  const centre = n > 0 ? sum(values) / n : expected
  const squares = values.reduce((total, value) => total + (value - centre) ** 2, 0)
  const variance = (squares + prior.varianceEpochs * prior.deviation ** 2) / (n + prior.varianceEpochs)
  return {
    epochs: observations.length,
    missed: observations.filter(({ good }) => !good).length,
    expected,
    assured: Math.max(0, expected - Math.sqrt(variance / Math.max(1, n))),
    deviation: Math.sqrt(variance),
  }
}

/** Caps values at the validator's own 90th percentile, so that single outliers do not raise its quality. */
function cutSpikes(values: readonly number[]): readonly number[] {
  const sorted = ascending(values)
  const ceiling = sorted[Math.floor(prior.spikePercentile * (sorted.length - 1))] ?? 0
  return values.map((value) => Math.min(value, ceiling))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
