import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { epochsPerYear } from '../../network/year.ts'
import { SCORING } from '../scoring/scoring-rules.ts'
import { growthBetween, lastBefore, projectAt } from './past-market.ts'
import { rememberEpochs } from './remember-epochs.ts'
import { dilutionOver, flowIn } from './stake-flow.ts'

type Records = ReadonlyMap<string, readonly EpochRecord[]>

/** Errors of projections that are recomputed for past epochs. */
export type PastErrors = {
  readonly epochs: number
  /** Epochs from one origin to the next. */
  readonly stride: number
  /**
   * Per past epoch (origin) and validator: the ratio of the paid to the projected rate, adjusted to the current
   * flow of stake.
   */
  readonly origins: readonly (readonly number[])[]
}

/** The ratio of the paid to the projected rate, and the factor in it that is due to stake that came and left. */
export type PastOutcome = { readonly ratio: number; readonly dilution: number }

/** Before this many epochs of history a projection is mostly the prior. */
const WARM_UP = 10
/** The largest number of past epochs for which projections are recomputed. */
const MAX_ORIGINS = 24
/**
 * The time window of past errors: the last `epochs`, or more to get this many disjoint outcomes, up to `most`. A
 * longer window makes ranges too wide: it contains errors of the young network, about which little was known, and
 * errors from before a change of the network.
 */
const LAST = { epochs: 48, blocks: 10, most: 70 } as const
/** The current flow of stake is the mean of the last `epochs`; it counts as at most `most` times the past flow. */
const FLOW = { epochs: 14, most: 2 } as const

/**
 * The yearly rate that a pool paid over `epochs` epochs from `from` on, continuously compounded: the logarithm of its
 * growth. Epochs after a pool's last record count as unpaid, and so does growth within rounding.
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

/** The outcome of each validator's projection from one origin. */
export function outcomesFrom(
  snapshot: ChainSnapshot,
  records: Records,
  origin: number,
  epochs: number,
  projected = projectAt(snapshot, records, origin),
): readonly PastOutcome[] {
  const perYear = epochsPerYear(snapshot.epoch.durationMs)
  const dilutes = snapshot.rewards.shape.kind === 'equal-share'
  return [...projected].flatMap(([id, rate]) => {
    const ofPool = records.get(id) ?? []
    const paid = realisedRate(ofPool, origin, epochs, perYear)
    if (paid === undefined) return []
    const ratio = paid / (perYear * Math.log1p(rate / perYear))
    return [{ ratio, dilution: dilutes ? dilutionOver(ofPool, origin, epochs) : 1 }]
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

type Remembered = {
  readonly outcomesAt: (origin: number) => readonly PastOutcome[]
  readonly flowAt: (epoch: number) => number
}

/**
 * The past errors of a horizon; undefined if the history is too short for it. With equal pay, long outcomes differ
 * from projections mostly by stake that came and left meanwhile. The current flow of stake is known long before the
 * outcomes of current projections, so past errors are adjusted to it.
 */
export function pastErrors(
  snapshot: ChainSnapshot,
  records: Records,
  epochs: number,
  {
    outcomesAt = (origin) => outcomesFrom(snapshot, records, origin, epochs),
    flowAt = (epoch) => flowIn(records, epoch),
  }: Partial<Remembered> = {},
): PastErrors | undefined {
  const past = pastOrigins(snapshot, records, epochs)
  if (!past) return undefined
  const now = snapshot.epoch.number
  const flow = snapshot.rewards.shape.kind === 'equal-share' ? rememberEpochs(flowAt) : () => 0
  const present = meanOf(flow, Math.max(oldestOf(records) + 1, now - FLOW.epochs), now)
  const origins = past.origins.map((origin) => {
    const then = meanOf(flow, origin, origin + epochs)
    const change = then > 0 ? Math.min(FLOW.most, present / then) : 1
    return outcomesAt(origin).map(({ ratio, dilution }) => ratio * dilution ** (change - 1))
  })
  return { epochs, stride: past.stride, origins: origins.filter((ratios) => ratios.length > 0) }
}

function meanOf(valueAt: (epoch: number) => number, from: number, to: number): number {
  let sum = 0
  for (let epoch = from; epoch < to; epoch++) sum += valueAt(epoch)
  return sum / (to - from)
}

function oldestOf(records: Records): number {
  let oldest = Number.POSITIVE_INFINITY
  for (const [first] of records.values()) if (first) oldest = Math.min(oldest, first.epoch)
  return oldest
}
