import type { EpochRecord } from '#ports/chain/staking-chain.ts'

/**
 * A pool's exchange rate only grows, and slowly. A history with jumps therefore contains points of another pool or
 * chain, or a correction. This file separates such a history into plausible series.
 */
type RatePoint = Pick<EpochRecord, 'epoch' | 'rate'>

/** The growth from one point of a series to the next, per epoch, as a logarithm. */
export type GrowthStep = { readonly after: number; readonly upTo: number; readonly perEpoch: number }

/** Integer division on chain may lose a unit, so a flat rate may appear to fall by that much. */
const ROUNDING = 1e-9

/** Upper bound of a pool's growth: 1,000% a year, or 1% an epoch if that is more (short epochs). */
const MAX_YEARLY_GROWTH = Math.log(11)
const MAX_EPOCH_GROWTH = 0.01

/** Points that one pool can have produced, ascending, and the growth between each two of them. */
type RateSeries<P> = { readonly points: readonly P[]; readonly steps: readonly GrowthStep[] }

/**
 * Separates a history into series, the one with the most points first. Greedy: each point joins the closest series.
 */
export function separateSeries<P extends RatePoint>(
  points: readonly P[],
  epochsPerYear: number,
): readonly RateSeries<P>[] {
  const limit = Math.max(MAX_EPOCH_GROWTH, MAX_YEARLY_GROWTH / epochsPerYear)
  const open: OpenSeries<P>[] = []
  for (const point of points.toSorted((a, b) => a.epoch - b.epoch)) {
    const home = closestSeries(open, point, limit)
    if (home) append(home.series, point, home.growth)
    else if (!open.some(({ last }) => isRepeated(last, point)))
      open.push({ points: [point], steps: [], last: point })
  }
  // Among series of equal length, the one with the newest epoch is the current one.
  return open.toSorted((a, b) => b.points.length - a.points.length || b.last.epoch - a.last.epoch)
}

type OpenSeries<P> = { readonly points: P[]; readonly steps: GrowthStep[]; last: P }

function append<P extends RatePoint>(series: OpenSeries<P>, point: P, growth: number): void {
  // What a gap of several epochs has earned is spread evenly over them.
  series.steps.push({ after: series.last.epoch, upTo: point.epoch, perEpoch: Math.max(0, growth) })
  series.points.push(point)
  series.last = point
}

function closestSeries<P extends RatePoint>(open: readonly OpenSeries<P>[], point: P, limit: number) {
  let closest: { readonly series: OpenSeries<P>; readonly growth: number } | undefined
  for (const series of open) {
    if (series.last.epoch >= point.epoch) continue
    const growth = growthPerEpoch(series.last, point)
    if (growth < -ROUNDING || growth > (closest?.growth ?? limit)) continue
    closest = { series, growth }
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

const isRepeated = (last: RatePoint, point: RatePoint): boolean =>
  last.epoch === point.epoch &&
  exchange(last)[0] * exchange(point)[1] === exchange(point)[0] * exchange(last)[1]
