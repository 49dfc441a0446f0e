import { findBestSplit } from '../../server/src/domain/staking/solver/best-split.ts'
import { byEntry, rewardCurve } from '../../server/src/domain/staking/solver/reward-curve.ts'
import { EPOCHS_PER_YEAR, epochRate, type MarketView } from './market-view.ts'
import { best, COUNT, equally } from './plain-rules.ts'
import type { HistoryEpoch } from './read-history.ts'
import type { Portfolio, Strategy } from './strategy.ts'

export const WATER_FILLING_ORACLE = 'water-filling oracle'

/**
 * Oracles know the epoch that will be paid and move for free. Water filling is an upper bound for every strategy; water
 * filling with the last epoch instead of the next shows how much of that bound needs knowledge of the future.
 */
export const oracles = (): readonly Strategy[] => [
  {
    name: 'oracle, ten in equal parts',
    every: 1,
    movesForFree: true,
    decide: ({ universe }, _, coming) =>
      equally(best(universe, ({ validator }) => coming.rows.get(validator)?.apy ?? 0, COUNT)),
  },
  {
    name: 'last epoch, water-filled, moved free',
    every: 1,
    movesForFree: true,
    decide: (view, held) => waterFill(view, held, view.latest),
  },
  { name: WATER_FILLING_ORACLE, every: 1, movesForFree: true, decide: waterFill },
]

/** Water filling: the best split over any number of validators, given their rates in `coming` and the dilution. */
function waterFill({ universe, amount, dilutes }: MarketView, _: Portfolio, coming: HistoryEpoch): Portfolio {
  const places = universe.flatMap(({ validator }) => {
    const row = coming.rows.get(validator)
    if (!row) return []
    const rate = EPOCHS_PER_YEAR * epochRate(row.apy)
    const stake = dilutes ? Number(row.stake) : 1e9 * Number(amount)
    const curve = rewardCurve({
      stake,
      slope: 0,
      knee: 0,
      decline: rate * stake * stake,
      cost: 0,
      variance: 0,
    })
    return [{ validator, curve }]
  })
  const total = Number(amount)
  const split = findBestSplit({
    amount: total,
    risk: 0,
    choices: places.map(({ curve }) => curve).toSorted(byEntry),
    least: 1,
    most: total,
    maxChosen: places.length,
    free: [],
  })
  const idOf = new Map(places.map(({ validator, curve }) => [curve, validator]))
  return new Map((split?.parts ?? []).map(({ curve, amount: part }) => [idOf.get(curve) ?? '', part / total]))
}
