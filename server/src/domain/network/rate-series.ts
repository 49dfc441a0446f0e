import type { EpochRecord } from '#ports/staking-chain.ts'

/**
 * A pool's exchange rate only ever grows, and slowly. A history that jumps therefore holds points of another
 * pool or another chain, or a correction. This file takes such a history apart into series that can be true.
 */
export type RatePoint = Pick<EpochRecord, 'epoch' | 'rate'>

/** The growth from one point of a series to the next, per epoch, as a logarithm. */
export type GrowthStep = { readonly after: number; readonly upTo: number; readonly perEpoch: number }

/** Integer division on chain may lose a unit, so a flat rate can look as if it fell by that much. */
const ROUNDING = 1e-9

/** No pool earns more than 1,000 % a year; where epochs are shorter than a day, more than 1 % an epoch. */
const MAX_YEARLY_GROWTH = Math.log(11)
const MAX_EPOCH_GROWTH = 0.01

/** Series of points that one pool can have produced, the one that covers most epochs first. */
export function separateSeries<P extends RatePoint>(
  points: readonly P[],
  epochsPerYear: number,
): readonly (readonly P[])[] {
  const limit = Math.max(MAX_EPOCH_GROWTH, MAX_YEARLY_GROWTH / epochsPerYear)
  const ascending = points.toSorted((a, b) => a.epoch - b.epoch)
  const open: P[][] = []
  for (const point of ascending) {
    const home = closestSeries(open, point, limit)
    if (home) home.push(point)
    else if (!open.some((series) => isRepeated(series, point))) open.push([point])
  }
  // At equal length the series that reaches further is the living one.
  return open.toSorted((a, b) => b.length - a.length || lastEpoch(b) - lastEpoch(a))
}

export function growthSteps(series: readonly RatePoint[]): readonly GrowthStep[] {
  const steps: GrowthStep[] = []
  for (const [index, point] of series.entries()) {
    const before = series[index - 1]
    if (!before) continue
    // What a gap of several epochs has earned is spread evenly over them.
    steps.push({
      after: before.epoch,
      upTo: point.epoch,
      perEpoch: Math.max(0, growthPerEpoch(before, point)),
    })
  }
  return steps
}

function closestSeries<P extends RatePoint>(open: readonly P[][], point: P, limit: number): P[] | undefined {
  let closest: P[] | undefined
  let smallest = limit
  for (const series of open) {
    const last = series.at(-1)
    if (!last || last.epoch >= point.epoch) continue
    const growth = growthPerEpoch(last, point)
    if (growth < -ROUNDING || growth > smallest) continue
    smallest = growth
    closest = series
  }
  return closest
}

function growthPerEpoch(from: RatePoint, to: RatePoint): number {
  const [tokens, shares] = exchange(to)
  const [tokensBefore, sharesBefore] = exchange(from)
  // The difference is exact, so that growth far below a float's own precision survives.
  const before = tokensBefore * shares
  const difference = tokens * sharesBefore - before
  return Math.log1p(Number(difference) / Number(before)) / (to.epoch - from.epoch)
}

/** A pool that has paid nothing yet records no amounts: its rate is one to one. */
const exchange = ({ rate }: RatePoint): readonly [bigint, bigint] =>
  rate.tokens > 0n && rate.shares > 0n ? [rate.tokens, rate.shares] : [1n, 1n]

const isRepeated = (series: readonly RatePoint[], point: RatePoint): boolean => {
  const last = series.at(-1)
  return last !== undefined && last.epoch === point.epoch && sameRate(last, point)
}

const sameRate = (a: RatePoint, b: RatePoint): boolean =>
  exchange(a)[0] * exchange(b)[1] === exchange(b)[0] * exchange(a)[1]

const lastEpoch = (series: readonly RatePoint[]): number => series.at(-1)?.epoch ?? -1
