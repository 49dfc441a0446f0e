import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import { type EpochClock, toPercent } from './apy.ts'
import { separateSeries } from './rate-series.ts'
import { epochsPerYear } from './year.ts'

/** One completed epoch in the APY history. */
export type ApyPoint = {
  readonly epoch: number
  readonly endedAt: number
  /** Percent: this epoch's growth, extrapolated to a year. */
  readonly apy: number
  readonly commissionRate: number
  readonly totalStake: bigint
  /** The pool's exchange rate when the epoch ended. A network as a whole has none. */
  readonly rate: EpochRecord['rate'] | undefined
  /** Undefined if the network does not report it, and for several epochs or pools together. */
  readonly performed: boolean | undefined
  /** The shards it was paid for; undefined like `performed`, and on networks without shards. */
  readonly shards?: number | undefined
}

/**
 * The history of one pool, ascending. An epoch appears once its growth is known, so the very first one does not.
 * Points that cannot belong to the pool are left out.
 */
export function apyHistory(
  records: readonly EpochRecord[],
  { currentEpoch, epochDurationMs }: EpochClock,
): readonly ApyPoint[] {
  const perYear = epochsPerYear(epochDurationMs)
  const completed = records.filter(({ epoch }) => epoch < currentEpoch)
  const [pool] = separateSeries(completed, perYear)
  if (!pool) return []
  return pool.points.slice(1).map((record, index) => ({
    epoch: record.epoch,
    endedAt: record.endedAt,
    apy: toPercent(pool.steps[index]?.perEpoch ?? 0, perYear),
    commissionRate: record.commissionBps / 10_000,
    totalStake: record.stake,
    rate: record.rate,
    performed: record.performed,
    shards: record.shards,
  }))
}

/** The history of the whole network: per epoch, every pool weighted by its stake. */
export function networkApyHistory(
  records: ReadonlyMap<string, readonly EpochRecord[]>,
  clock: EpochClock,
): readonly ApyPoint[] {
  const epochs = new Map<number, ApyPoint[]>()
  for (const ofPool of records.values()) {
    for (const point of apyHistory(ofPool, clock)) {
      const sameEpoch = epochs.get(point.epoch)
      if (sameEpoch) sameEpoch.push(point)
      else epochs.set(point.epoch, [point])
    }
  }
  return [...epochs].toSorted(([a], [b]) => a - b).map(([epoch, points]) => weighByStake(epoch, points))
}

function weighByStake(epoch: number, points: readonly ApyPoint[]): ApyPoint {
  let endedAt = 0
  let apy = 0
  let commissionRate = 0
  let weights = 0
  let totalStake = 0n
  for (const point of points) {
    // At least 1, so that a network of empty pools has an unweighted mean; an empty pool's weight is negligible.
    const weight = Math.max(1, Number(point.totalStake))
    endedAt = Math.max(endedAt, point.endedAt)
    apy += weight * point.apy
    commissionRate += weight * point.commissionRate
    weights += weight
    totalStake += point.totalStake
  }
  const mean = { apy: apy / weights, commissionRate: commissionRate / weights }
  return { epoch, endedAt, ...mean, totalStake, rate: undefined, performed: undefined }
}
