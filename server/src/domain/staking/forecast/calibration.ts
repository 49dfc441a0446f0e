import { median } from '../../network/median.ts'
import type { PastErrors } from './past-errors.ts'

/** Where four of five outcomes are expected. Percent. */
export type ApyRange = {
  readonly low: number
  readonly high: number
  readonly level: number
  /** Of the mean over so many epochs. */
  readonly epochs: number
}

/**
 * How far what was paid lay from what had been projected, as parts of the projection: what all validators had in common
 * in an epoch, and what each had for itself.
 */
export type Calibration = {
  readonly epochs: number
  readonly centre: number
  readonly common: number
  readonly below: number
  readonly above: number
}

export const RANGE_LEVEL = 0.8

/** Student's t for four of five, by degrees of freedom: a few blocks of epochs tell little of what is common. */
const T = [3.08, 3.08, 1.89, 1.64, 1.53, 1.48, 1.44, 1.41, 1.4, 1.38, 1.37]
const FEWEST = 30

/** Undefined when the past tells too little. */
export function calibrate({ epochs, origins, stride }: PastErrors): Calibration | undefined {
  const centres = origins.map(median)
  const own = origins.flatMap((ratios, index) => ratios.map((ratio) => ratio / (centres[index] || 1)))
  if (own.length < FEWEST) return undefined
  const centre = centres.reduce((sum, value) => sum + value, 0) / centres.length
  const squares = centres.reduce((sum, value) => sum + (value / centre - 1) ** 2, 0)
  const deviation = centre > 0 && centres.length > 1 ? Math.sqrt(squares / (centres.length - 1)) : 0
  // Neighbouring projections share most of their epochs: only as many as do not overlap count.
  const blocks = 1 + Math.floor(((centres.length - 1) * stride) / epochs)
  const sorted = own.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 1
  return {
    epochs,
    centre,
    common: (T[Math.min(blocks, T.length - 1)] ?? 0) * Math.sqrt(1 + 1 / blocks) * deviation,
    below: 1 - at((1 - RANGE_LEVEL) / 2),
    above: at((1 + RANGE_LEVEL) / 2) - 1,
  }
}

/**
 * The range around a projected APY. With several validators, by their weights, what each has for itself partly evens
 * out; what all have in common does not.
 */
export function rangeAround(calibration: Calibration, apy: number, weights?: readonly number[]): ApyRange {
  const { low, high } = rangeParts(calibration, weights)
  const growth = Math.log1p(apy / 100)
  const toApy = (part: number): number => 100 * Math.expm1(growth * part)
  return { low: toApy(low), high: toApy(high), level: RANGE_LEVEL, epochs: calibration.epochs }
}

/** The same as parts of the projected growth. */
export function rangeParts(
  { centre, common, below, above }: Calibration,
  weights: readonly number[] = [1],
): { readonly low: number; readonly high: number } {
  const spread = Math.sqrt(weights.reduce((sum, weight) => sum + weight ** 2, 0))
  return {
    low: centre * Math.max(0, 1 - Math.hypot(spread * below, common)),
    high: centre * (1 + Math.hypot(spread * above, common)),
  }
}
