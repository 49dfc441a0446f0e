import type { ChainSnapshot, EpochRecord, Validator } from '#ports/chain/staking-chain.ts'
import { compare } from '../../compare.ts'
import { type ApyEstimate, estimateApy } from '../../network/apy.ts'
import { median } from '../../network/median.ts'
import { type Uptime, uptimeOf } from '../../network/uptime.ts'
import { rateRetention } from './committee-risk.ts'
import { measureQuality, type Quality } from './quality.ts'
import {
  expectedCommission,
  grossYearlyRate,
  type RewardPool,
  rewardPoolOf,
  willEarn,
} from './reward-pool.ts'
import { type Gate, SCORING } from './scoring-rules.ts'

/** The components of a score, each from 0 to 1. */
type ScoreComponents = {
  readonly apy: number
  readonly uptime: number
  readonly commission: number
  /** 0 if a gate is closed; otherwise the available fraction of the history needed for full trust. */
  readonly gate: number
}

export type ScoredValidator = {
  readonly validator: Validator
  readonly score: number
  readonly components: ScoreComponents
  /** The reasons why it may not be recommended; empty: it may. */
  readonly closedGates: readonly Gate[]
  readonly quality: Quality
  /** Estimated from its exchange rate; undefined without a history. */
  readonly apy: ApyEstimate | undefined
  readonly uptime: Uptime | undefined
  /** Shards in the next epoch by current stakes; undefined on networks without shards. */
  readonly nextShards: number | undefined
}

/** A validator with the inputs of its projection. */
export type Measured = {
  readonly validator: Validator
  readonly quality: Quality
  readonly closedGates: readonly Gate[]
}

/** The measurements of a validator's completed epochs. */
type Past = Pick<ScoredValidator, 'quality' | 'apy' | 'uptime'>

/** All validators with their scores, best first; ties by id. */
export function scoreValidators(
  snapshot: ChainSnapshot,
  records: ReadonlyMap<string, readonly EpochRecord[]>,
  past: ReadonlyMap<string, Past> = measurePast(snapshot, records),
): readonly ScoredValidator[] {
  const pool = rewardPoolOf(snapshot)
  const measured = withGates(snapshot, past)
  const apyPart = rankByAssuredRate(measured, pool, rateRetention(snapshot))
  const scored = measured.map(({ validator, quality, closedGates }): ScoredValidator => {
    const history = records.get(validator.id) ?? []
    const components = {
      apy: apyPart({ validator, quality, closedGates }),
      uptime: uptimePart(quality),
      commission: commissionPart(validator, history, snapshot.epoch.number),
      gate: closedGates.length > 0 ? 0 : Math.min(1, quality.epochs / SCORING.windows.fullTrustAfter),
    }
    return {
      validator,
      score: toScore(components),
      components,
      closedGates,
      quality,
      apy: past.get(validator.id)?.apy,
      uptime: past.get(validator.id)?.uptime,
      nextShards: pool.seats && (pool.seats.get(validator.id)?.shards ?? 0),
    }
  })
  return scored.toSorted(byScore)
}

/** Sorts by the published (rounded) score, so that readers can reproduce the order of every list. */
const byScore = (a: ScoredValidator, b: ScoredValidator): number =>
  b.score - a.score || compare(a.validator.id, b.validator.id)

function measurePast(
  snapshot: ChainSnapshot,
  records: ReadonlyMap<string, readonly EpochRecord[]>,
): ReadonlyMap<string, Past> {
  const { epoch, network } = snapshot
  const clock = { currentEpoch: epoch.number, epochDurationMs: epoch.durationMs }
  const past = new Map<string, Past>()
  for (const [id, quality] of measureQuality(snapshot, records)) {
    const history = records.get(id) ?? []
    past.set(id, {
      quality,
      apy: estimateApy(history, clock),
      uptime: uptimeOf(history, clock.currentEpoch, network),
    })
  }
  return past
}

export function measureValidators(
  snapshot: ChainSnapshot,
  records: ReadonlyMap<string, readonly EpochRecord[]>,
): readonly Measured[] {
  const qualities = measureQuality(snapshot, records)
  return withGates(snapshot, new Map([...qualities].map(([id, quality]) => [id, { quality }])))
}

function withGates(
  snapshot: ChainSnapshot,
  past: ReadonlyMap<string, Pick<Past, 'quality'>>,
): readonly Measured[] {
  return snapshot.validators.flatMap((validator) => {
    const quality = past.get(validator.id)?.quality
    return quality ? [{ validator, quality, closedGates: closedGatesOf(validator, snapshot) }] : []
  })
}

function closedGatesOf(validator: Validator, { system }: ChainSnapshot): readonly Gate[] {
  const closed: Record<Gate, boolean> = {
    not_active: validator.status !== 'active',
    not_in_next_committee: !willEarn(validator),
    below_joining_stake: validator.nextStake < system.minValidatorStake,
    commission_takes_all: expectedCommission(validator) >= 1,
  }
  return toGates(Object.keys(SCORING.gates)).filter((gate) => closed[gate])
}

/** The keys come from the table of gates itself. */
const toGates = (keys: readonly string[]): readonly Gate[] => keys as readonly Gate[]

/**
 * The assured rate of a validator is a cautious estimate of its next pay, from quality, commission, size and the risk
 * of losing its place. A logistic curve maps it to 0…1: it keeps the order but bounds the effect of an extreme rate.
 */
function rankByAssuredRate(
  measured: readonly Measured[],
  pool: RewardPool,
  retention: (validator: Validator) => number,
): (one: Measured) => number {
  const rateOf = ({ validator, quality }: Measured): number =>
    quality.assured *
    (1 - expectedCommission(validator)) *
    retention(validator) *
    grossYearlyRate(pool, validator)
  const rates = measured.filter(({ closedGates }) => closedGates.length === 0).map(rateOf)
  const middle = median(rates)
  if (middle <= 0) return () => 0.5
  const spread =
    SCORING.apy.deviationPerMedianDistance * median(rates.map((rate) => Math.abs(rate / middle - 1)))
  const scale = Math.max(spread, SCORING.apy.leastDeviation)
  return (one) => 1 / (1 + Math.exp(-(rateOf(one) / middle - 1) / scale))
}

function uptimePart({ epochs, missed }: Quality): number {
  const { prior, uptime } = SCORING
  const share = (epochs - missed + prior.epochs * prior.quality) / (epochs + prior.epochs)
  return clip((share - uptime.floor) / (1 - uptime.floor))
}

function commissionPart(validator: Validator, history: readonly EpochRecord[], currentEpoch: number): number {
  let highest = expectedCommission(validator)
  for (const { epoch, commissionBps } of history) {
    if (epoch >= currentEpoch - SCORING.windows.history) highest = Math.max(highest, commissionBps / 10_000)
  }
  return clip(1 - highest / SCORING.commission.ceiling)
}

function composite({ apy, uptime, commission, gate }: ScoreComponents): number {
  const { weights } = SCORING
  return gate * (weights.apy * apy + weights.uptime * uptime + weights.commission * commission)
}

const toScore = (components: ScoreComponents): number =>
  Number((SCORING.scale.max * composite(components)).toFixed(SCORING.scale.decimals))

const clip = (value: number): number => Math.min(1, Math.max(0, value))
