import { compare } from '../../compare.ts'
import { findBestSplit } from '../solver/best-split.ts'
import { byEntry, rewardCurve } from '../solver/reward-curve.ts'
import { canReceiveStake } from '../stake-limits.ts'
import type { BacktestPolicy, Portfolio } from './decide.ts'
import type { PastEpoch } from './past-epochs.ts'

/** The number of epochs over which the plain rules take their mean rate. */
const MEAN_EPOCHS = 10
/** The patient rule sells validators whose rank exceeds this multiple of `maxValidators`. */
const PATIENCE = 2

/** Equal parts in the validators with the highest mean rates that the policy allows. */
export function topByMean(past: PastEpoch, _held: Portfolio, policy: BacktestPolicy): Portfolio {
  const best = rankByMean(past, policy).slice(0, policy.maxValidators)
  return new Map(best.map((id) => [id, 1 / best.length]))
}

/** Hysteresis: sells only validators that have fallen below a rank by mean rate, and buys the best ones not held. */
export function sellBelowRank(past: PastEpoch, held: Portfolio, policy: BacktestPolicy): Portfolio {
  if (held.size === 0) return topByMean(past, held, policy)
  const ranked = rankByMean(past, policy)
  const good = new Set(ranked.slice(0, PATIENCE * policy.maxValidators))
  const kept = new Map([...held].filter(([id]) => good.has(id)))
  const places = held.size - kept.size
  const bought = ranked.filter((id) => !kept.has(id)).slice(0, places)
  if (places === 0 || bought.length === 0) return held
  let freed = 1
  for (const part of kept.values()) freed -= part
  return new Map([...kept, ...bought.map((id): [string, number] => [id, freed / bought.length])])
}

/** Oracle: the best split over any number of validators if the pay of the next epoch is known and moving is free. */
export function fillLikeWater(past: PastEpoch, _held: Portfolio, policy: BacktestPolicy): Portfolio {
  const { pool } = past.known
  const amount = Number(policy.amount)
  const places = past.known.options.flatMap(({ validatorId }) => {
    const paid = past.paid(validatorId)
    if (!paid || paid.rate <= 0) return []
    // With pay by stake only the total amount dilutes, not a pool's share of it: the pool counts as infinite.
    const stake = pool.shape.kind === 'equal-share' ? Math.max(1, paid.stake) : 1e9 * amount
    const decline = paid.rate * stake * stake
    return [{ validatorId, curve: rewardCurve({ ...STRAIGHT, stake, decline }) }]
  })
  const split = findBestSplit({
    amount,
    risk: 0,
    choices: places.map(({ curve }) => curve).toSorted(byEntry),
    least: 1,
    most: amount,
    maxChosen: places.length,
    free: [],
  })
  const idOf = new Map(places.map(({ validatorId, curve }) => [curve, validatorId]))
  return new Map(
    (split?.parts ?? []).map(({ curve, amount: part }) => [idOf.get(curve) ?? '', part / amount]),
  )
}

const STRAIGHT = { slope: 0, knee: 0, cost: 0, variance: 0 } as const

/** The validators that may receive stake, sorted by mean rate; ties by id. */
function rankByMean({ known, meanRate }: PastEpoch, policy: BacktestPolicy): readonly string[] {
  return known.options
    .filter(canReceiveStake(policy))
    .map(({ validatorId }) => ({ validatorId, rate: meanRate(validatorId, MEAN_EPOCHS) }))
    .toSorted((a, b) => b.rate - a.rate || compare(a.validatorId, b.validatorId))
    .map(({ validatorId }) => validatorId)
}
