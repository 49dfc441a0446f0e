import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import { median } from './median.ts'
import { type GrowthStep, separateSeries } from './rate-series.ts'
import { epochsPerYear, yearlyGrowth } from './year.ts'

/** In completed epochs. The short window detects a pool that stops earning; the long one averages out luck. */
export const APY_WINDOWS = { short: 7, long: 30 } as const

/** An epoch that pays more than this multiple of the pool's typical epoch counts as that multiple. */
const SPIKE = 2

export type EpochClock = { readonly currentEpoch: number; readonly epochDurationMs: number }

/** All in percent, net of commission, compounding. */
export type ApyEstimate = {
  /** The lower of both windows. */
  readonly apy: number
  /** Undefined if no record reaches into the window. */
  readonly short: number | undefined
  readonly long: number
}

/** Estimates a pool's yield from its exchange rate. Undefined without a history, which is not the same as 0. */
export function estimateApy(
  records: readonly EpochRecord[],
  { currentEpoch, epochDurationMs }: EpochClock,
): ApyEstimate | undefined {
  const perYear = epochsPerYear(epochDurationMs)
  const newest = currentEpoch - 1
  const oldest = newest - APY_WINDOWS.long
  const completed = records.filter(({ epoch }) => epoch >= oldest && epoch <= newest)
  const series = separateSeries(completed, perYear)
  const overWindow = (epochs: number): number | undefined => {
    for (const { steps } of series) {
      const growth = typicalGrowth(steps, newest - epochs)
      if (growth !== undefined) return toPercent(growth, perYear)
    }
    return undefined
  }
  const long = overWindow(APY_WINDOWS.long)
  if (long === undefined) return undefined
  const short = overWindow(APY_WINDOWS.short)
  return { apy: Math.min(long, short ?? long), short, long }
}

export const toPercent = (growthPerEpoch: number, perYear: number): number =>
  100 * yearlyGrowth(growthPerEpoch * perYear)

/** The mean growth per epoch after `start`, with capped spikes. Epochs without pay count in full. */
function typicalGrowth(steps: readonly GrowthStep[], start: number): number | undefined {
  const inside = steps.filter(({ upTo }) => upTo > start)
  if (inside.length === 0) return undefined
  const ceiling = SPIKE * median(inside.map(({ perEpoch }) => perEpoch).filter((growth) => growth > 0))
  let sum = 0
  let epochs = 0
  for (const { after, upTo, perEpoch } of inside) {
    const length = upTo - Math.max(after, start)
    sum += length * Math.min(perEpoch, ceiling)
    epochs += length
  }
  return sum / epochs
}
