import { ascending, median } from '../../network/median.ts'
import { yearlyGrowth } from '../../network/year.ts'
import type { PastErrors } from './past-errors.ts'

/** The nominal 80% range of a projected APY, in percent. */
type ApyRange = {
  readonly low: number
  readonly high: number
  readonly level: number
  /** The horizon: the range is for the mean over this many epochs. */
  readonly epochs: number
}

/**
 * Past errors relative to the projection: a common part that all validators of an epoch share, and the part of each
 * validator (`below`, `above`).
 */
export type Calibration = {
  readonly epochs: number
  readonly centre: number
  readonly common: number
  readonly below: number
  readonly above: number
}

export const RANGE_LEVEL = 0.8

/**
 * Student's t for a two-sided 80% interval, by degrees of freedom from 1 on: few blocks of epochs say little about the
 * common part. There are as many degrees as blocks, not one fewer: the mean is not estimated from the blocks alone, and
 * its distance from the prior's mean is one more square in the deviation (normal errors with a normal-gamma prior that
 * says nothing of their variance).
 */
const STUDENT_T = [3.08, 1.89, 1.64, 1.53, 1.48, 1.44, 1.41, 1.4, 1.38, 1.37]
const FEWEST = 30
/**
 * Weight of the prior that projections are right, in blocks of epochs. Within a single block the epochs agree because
 * they overlap, so their distance from the projection says more than their spread.
 */
const PRIOR_BLOCKS = 0.1

/** The errors of one past epoch, their median (`centre`), and the errors relative to it (`own`). */
type Origin = {
  readonly ratios: readonly number[]
  readonly centre: number
  readonly own: readonly number[]
}

type Judged = Omit<PastErrors, 'origins'> & { readonly origins: readonly Origin[] }

function toOrigin(ratios: readonly number[]): Origin {
  const centre = median(ratios)
  return { ratios, centre, own: ratios.map((ratio) => ratio / (centre || 1)) }
}

/** Undefined when the history is too short. */
export function calibrate(past: PastErrors): Calibration | undefined {
  const errors = { ...past, origins: past.origins.map(toOrigin) }
  const found = spreadOf(errors)
  if (!found) return undefined
  const stretch = stretchOf(errors)
  const { common, below, above } = found
  return { ...found, common: stretch * common, below: stretch * below, above: stretch * above }
}

/** Ranges may become narrower only with this many blocks of epochs, which do not overlap. */
const BLOCKS_TO_NARROW = 8
const STRETCH = { least: 0.5, most: 2 } as const

/**
 * The factor by which ranges must be stretched to hold their share of outcomes (conformal prediction). Each past epoch
 * is judged by a range from all epochs whose outcomes do not overlap with its own. 1 if there are too few.
 */
function stretchOf(errors: Judged): number {
  const { epochs, origins, stride } = errors
  const distances: number[] = []
  let judged = 0
  for (const [at, { ratios }] of origins.entries()) {
    const apart = origins.filter((_, other) => Math.abs(other - at) * stride >= epochs)
    const others = apart.length < 2 ? undefined : spreadOf({ ...errors, origins: apart })
    if (!others) continue
    judged++
    const { low, high } = rangeParts(others)
    for (const ratio of ratios) {
      const edge = ratio < others.centre ? low : high
      if (edge !== others.centre) distances.push((ratio - others.centre) / (edge - others.centre))
    }
  }
  if (judged < 3) return 1
  const least = blocksIn(errors) >= BLOCKS_TO_NARROW ? STRETCH.least : 1
  return Math.min(STRETCH.most, Math.max(least, quantile(ascending(distances), RANGE_LEVEL)))
}

/** The number of blocks: neighbouring projections share most of their epochs, so only disjoint ones count. */
const blocksIn = ({ epochs, origins, stride }: Judged): number =>
  1 + Math.floor(((origins.length - 1) * stride) / epochs)

const quantile = (sorted: Float64Array, part: number): number =>
  sorted[Math.floor(part * (sorted.length - 1))] ?? 1

function spreadOf(errors: Judged): Calibration | undefined {
  const { epochs, origins } = errors
  const centres = origins.map(({ centre }) => centre)
  const own = ascending(origins.flatMap((origin) => origin.own))
  if (own.length < FEWEST) return undefined
  const mean = centres.reduce((sum, value) => sum + value, 0) / centres.length
  const squares = centres.reduce((sum, value) => sum + (value / mean - 1) ** 2, 0)
  const within = mean > 0 && centres.length > 1 ? squares / (centres.length - 1) : 0
  const blocks = blocksIn(errors)
  const weight = blocks + PRIOR_BLOCKS
  const deviation = Math.sqrt(within + (PRIOR_BLOCKS / weight) * (mean - 1) ** 2)
  return {
    epochs,
    centre: (blocks * mean + PRIOR_BLOCKS) / weight,
    common: (STUDENT_T[Math.min(blocks, STUDENT_T.length) - 1] ?? 0) * Math.sqrt(1 + 1 / weight) * deviation,
    below: 1 - quantile(own, (1 - RANGE_LEVEL) / 2),
    above: quantile(own, (1 + RANGE_LEVEL) / 2) - 1,
  }
}

/**
 * The range around a projected APY. With several validators (by their weights) the parts of each validator partly
 * average out; the common part does not.
 */
export function rangeAround(calibration: Calibration, apy: number, weights?: readonly number[]): ApyRange {
  const { low, high } = rangeParts(calibration, weights)
  const growth = Math.log1p(apy / 100)
  const toApy = (part: number): number => 100 * yearlyGrowth(growth * part)
  return { low: toApy(low), high: toApy(high), level: RANGE_LEVEL, epochs: calibration.epochs }
}

/** The range as multiples of the projected growth. */
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
