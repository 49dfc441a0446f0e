import { allocator } from '../../server/src/domain/staking/allocation.ts'
import { assumedToken } from '../../server/src/domain/staking/rebalance/held-token.ts'
import { planRebalance } from '../../server/src/domain/staking/rebalance/plan-rebalance.ts'
import type { RebalanceStep } from '../../server/src/domain/staking/rebalance/steps.ts'
import type { MarketView } from './market-view.ts'
import type { HistoryEpoch, HistoryRow } from './read-history.ts'

/** Which part of the stake lies with which validator. */
export type Portfolio = ReadonlyMap<string, number>

export type Strategy = {
  readonly name: string
  /** How often it decides, in epochs. */
  readonly every: number
  /** An index or an oracle pays nothing for moving. */
  readonly movesForFree: boolean
  /** `coming` is the future: only the oracle looks. */
  readonly decide: (view: MarketView, held: Portfolio, coming: HistoryEpoch) => Portfolio
}

const COUNT = 10
/** Two months, as the service looks ahead on a network of daily epochs; these last two days. */
const HORIZON_EPOCHS = 30
/** In epochs, for the mean APY. */
const MEAN_WINDOW = 10

export function strategies(every: number): readonly Strategy[] {
  const ruleOf = (name: string, pick: (view: MarketView) => Portfolio): Strategy => ({
    name,
    every,
    movesForFree: false,
    decide: pick,
  })
  return [
    { ...ruleOf('stake-weighted index', ({ universe }) => byStake(universe)), every: 1, movesForFree: true },
    ruleOf('equal weight, all', ({ universe }) => equally(universe)),
    ruleOf('top-1 last APY', ({ universe }) => equally(best(universe, ({ apy }) => apy, 1))),
    ruleOf('top-10 last APY', ({ universe }) => equally(best(universe, ({ apy }) => apy, COUNT))),
    ruleOf('top-10 mean APY', (view) => equally(best(view.universe, meanApy(view), COUNT))),
    { name: 'ours, allocated anew each epoch', every: 1, movesForFree: false, decide: allocateAnew },
    { name: 'ours, allocator and planner', every: 1, movesForFree: false, decide: planFrom(allocateAnew) },
    { ...ruleOf('top-10 by stake, held', largestEqually), every: Infinity },
    {
      name: 'top-10 by stake, then our planner',
      every: 1,
      movesForFree: false,
      decide: planFrom(largestEqually),
    },
    {
      name: 'oracle (knows the next epoch)',
      every: 1,
      movesForFree: true,
      decide: ({ universe }, _, coming) =>
        equally(best(universe, ({ validator }) => coming.rows.get(validator)?.apy ?? 0, COUNT)),
    },
  ]
}

function allocateAnew({ market, amount }: MarketView): Portfolio {
  const { allocations } = allocator(market())({ amount, maxValidators: COUNT })
  return new Map(allocations.map(({ validatorId, weight }) => [validatorId, weight]))
}

/** As a customer of the service would: a start, then whatever the rebalance plans say. */
const planFrom =
  (start: (view: MarketView) => Portfolio) =>
  (view: MarketView, held: Portfolio): Portfolio => {
    if (held.size === 0) return start(view)
    const { market, amount } = view
    const tokens = [...held].map(([validatorId, part]) =>
      assumedToken({
        stakedTokenId: validatorId,
        validatorId,
        principal: BigInt(Math.round(part * Number(amount))),
      }),
    )
    const pools = market(new Map(tokens.map(({ validatorId, principal }) => [validatorId, principal])))
    const { steps } = planRebalance(pools, { tokens, maxTargets: COUNT, horizonEpochs: HORIZON_EPOCHS })
    return applySteps(held, steps, Number(amount))
  }

function applySteps(held: Portfolio, steps: readonly RebalanceStep[], amount: number): Portfolio {
  const after = new Map(held)
  for (const { action, validatorId, amount: moved } of steps) {
    const part = (action === 'stake' ? 1 : -1) * (Number(moved) / amount)
    after.set(validatorId, (after.get(validatorId) ?? 0) + part)
  }
  return new Map([...after].filter(([, part]) => part > 1e-12))
}

function meanApy({ past }: MarketView): (row: HistoryRow) => number {
  const window = past.slice(-MEAN_WINDOW)
  return ({ validator }) =>
    window.reduce((sum, { rows }) => sum + (rows.get(validator)?.apy ?? 0), 0) / window.length
}

/** Equal values in the order of their names, so that a run can be repeated. */
function best(rows: readonly HistoryRow[], measure: (row: HistoryRow) => number, count: number) {
  return rows
    .map((row) => ({ row, value: measure(row) }))
    .toSorted((a, b) => b.value - a.value || (a.row.validator < b.row.validator ? -1 : 1))
    .slice(0, count)
    .map(({ row }) => row)
}

const largestEqually = ({ universe }: MarketView): Portfolio =>
  equally(best(universe, ({ stake }) => Number(stake), COUNT))

const equally = (rows: readonly HistoryRow[]): Portfolio =>
  new Map(rows.map(({ validator }) => [validator, 1 / rows.length]))

function byStake(rows: readonly HistoryRow[]): Portfolio {
  const total = rows.reduce((sum, { stake }) => sum + Number(stake), 0)
  return new Map(rows.map(({ validator, stake }) => [validator, Number(stake) / total]))
}
