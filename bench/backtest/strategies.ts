import { allocator } from '../../server/src/domain/staking/allocation/allocation.ts'
import { assumedToken } from '../../server/src/domain/staking/rebalance/held-token.ts'
import { planRebalance } from '../../server/src/domain/staking/rebalance/plan-rebalance.ts'
import type { RebalanceStep } from '../../server/src/domain/staking/rebalance/steps.ts'
import type { StakeOptions } from '../../server/src/domain/staking/stake-options.ts'
import type { MarketView } from './market-view.ts'
import { oracles } from './oracles.ts'
import { COUNT, largestEqually, plainRules } from './plain-rules.ts'
import type { Portfolio, Strategy } from './strategy.ts'

/** As far as the service looks ahead, where epochs last two days: 20 days where pay is equal, 60 elsewhere. */
const HORIZON_EPOCHS = { equalPay: 10, byStake: 30 } as const
/** As many as `allocate` takes: what limits the oracle is not the number of validators either. */
const MANY = 50

export const OURS_AMONG_MANY = 'ours, up to 50 validators'

export const strategies = (every: number): readonly Strategy[] => [
  ...plainRules(every),
  { name: 'ours, allocated anew each epoch', every: 1, movesForFree: false, decide: allocateAmong(COUNT) },
  {
    name: 'ours, allocator and planner',
    every: 1,
    movesForFree: false,
    decide: planFrom(allocateAmong(COUNT)),
  },
  oursWith(OURS_AMONG_MANY, asItIs),
  {
    name: 'top-10 by stake, then our planner',
    every: 1,
    movesForFree: false,
    decide: planFrom(largestEqually),
  },
  ...oracles(),
]

/** Ours among many, with another view of the market. */
export const oursWith = (name: string, seen: Lens): Strategy => ({
  name,
  every: 1,
  movesForFree: false,
  decide: planFrom(allocateAmong(MANY, seen), seen),
})

/** How the market looks to a rule. */
type Lens = (market: StakeOptions) => StakeOptions

const asItIs: Lens = (market) => market

function allocateAmong(maxValidators: number, seen = asItIs) {
  return ({ market, amount }: MarketView): Portfolio => {
    const { allocations } = allocator(seen(market()))({ amount, maxValidators })
    return new Map(allocations.map(({ validatorId, weight }) => [validatorId, weight]))
  }
}

/** As a customer of the service would: a start, then whatever the rebalance plans say. */
const planFrom =
  (start: (view: MarketView) => Portfolio, seen = asItIs) =>
  (view: MarketView, held: Portfolio): Portfolio => {
    if (held.size === 0) return start(view)
    const { market, amount, dilutes } = view
    const tokens = [...held].map(([validatorId, part]) =>
      assumedToken({
        stakedTokenId: validatorId,
        validatorId,
        principal: BigInt(Math.round(part * Number(amount))),
      }),
    )
    const pools = seen(market(new Map(tokens.map(({ validatorId, principal }) => [validatorId, principal]))))
    const horizonEpochs = dilutes ? HORIZON_EPOCHS.equalPay : HORIZON_EPOCHS.byStake
    const { steps } = planRebalance(pools, { tokens, maxTargets: COUNT, horizonEpochs })
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
