import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { epochsPerYear } from '../../network/year.ts'
import { SCORING } from '../scoring/scoring-rules.ts'
import { growthBetween, lastBefore, projectAt } from './past-market.ts'

type Records = ReadonlyMap<string, readonly EpochRecord[]>

/** Errors of projections that are recomputed for past epochs. */
export type PastErrors = {
  readonly epochs: number
  /** Epochs from one origin to the next. */
  readonly stride: number
  /** Per past epoch (origin) and validator: the ratio of the paid to the projected rate. */
  readonly origins: readonly (readonly number[])[]
}

/** Before this many epochs of history a projection is mostly the prior. */
const WARM_UP = 10
/** Most past epochs for which projections are recomputed. */
const MAX_ORIGINS = 24
/**
 * The past that counts: the last epochs, but enough of them for this many outcomes that do not overlap, up to `most`.
 * Errors of a young network, about which little was known, made the ranges of an old one too wide; and where a network
 * changes, a long memory keeps its long ranges wide for as long.
 */
const LAST = { epochs: 48, blocks: 10, most: 70 } as const

/**
 * The yearly rate that a pool paid over `epochs` epochs from `from` on, continuously compounded: the logarithm of its
 * growth. A pool that is recorded no more has paid nothing since, and neither has one that grew by rounding alone.
 */
export function realisedRate(
  records: readonly EpochRecord[],
  from: number,
  epochs: number,
  perYear: number,
): number | undefined {
  const before = records[lastBefore(records, from)]
  const last = records[lastBefore(records, from + epochs)]
  if (!before || !last) return undefined
  const growth = growthBetween(before, last)
  return growth > epochs * SCORING.rounding ? (perYear * Math.log1p(growth)) / epochs : 0
}

/** The ratio of the paid to the projected rate of each validator, from one origin. */
export function ratiosFrom(
  snapshot: ChainSnapshot,
  records: Records,
  origin: number,
  epochs: number,
  projected = projectAt(snapshot, records, origin),
): readonly number[] {
  const perYear = epochsPerYear(snapshot.epoch.durationMs)
  return [...projected].flatMap(([id, rate]) => {
    const paid = realisedRate(records.get(id) ?? [], origin, epochs, perYear)
    return paid === undefined ? [] : [paid / (perYear * Math.log1p(rate / perYear))]
  })
}

/** The origins at which a horizon is judged, newest first. Undefined when the history is too short. */
export function pastOrigins(
  snapshot: ChainSnapshot,
  records: Records,
  epochs: number,
): { readonly stride: number; readonly origins: readonly number[] } | undefined {
  const newest = snapshot.epoch.number - epochs
  const span = Math.max(LAST.epochs, Math.min(LAST.blocks * epochs, LAST.most))
  const first = Math.max(oldestOf(records) + WARM_UP, newest - span + 1)
  if (newest < first) return undefined
  // A stride that is a power of two: the origins stay mostly the same from epoch to epoch, so the cached
  // projections are reused.
  const stride = 2 ** Math.max(0, Math.ceil(Math.log2((newest - first + 1) / MAX_ORIGINS)))
  const origins: number[] = []
  for (let origin = newest - (newest % stride); origin >= first; origin -= stride) origins.push(origin)
  return { stride, origins }
}

/** Undefined when the history is too short for this horizon. */
export function pastErrors(
  snapshot: ChainSnapshot,
  records: Records,
  epochs: number,
  ratiosAt = (origin: number) => ratiosFrom(snapshot, records, origin, epochs),
): PastErrors | undefined {
  const past = pastOrigins(snapshot, records, epochs)
  if (!past) return undefined
  const origins = past.origins.map(ratiosAt).filter((ratios) => ratios.length > 0)
  return { epochs, stride: past.stride, origins }
}

function oldestOf(records: Records): number {
  let oldest = Number.POSITIVE_INFINITY
  for (const [first] of records.values()) if (first) oldest = Math.min(oldest, first.epoch)
  return oldest
}
