import { LIMITS } from '@stakewright/contract/limits'
import { allocator } from '../../server/src/domain/staking/allocation/allocation.ts'
import { assumedToken } from '../../server/src/domain/staking/rebalance/held-token.ts'
import { planRebalance } from '../../server/src/domain/staking/rebalance/plan-rebalance.ts'
import type { RebalanceStep } from '../../server/src/domain/staking/rebalance/steps.ts'
import type { StakeOptions } from '../../server/src/domain/staking/stake-options.ts'
import type { MarketView } from './market-view.ts'
import { oracles } from './oracles.ts'
import { COUNT, largestEqually, plainRules } from './plain-rules.ts'
import type { Portfolio, Strategy } from './strategy.ts'

/** The planning horizon of the service in epochs of two days: 20 days with equal pay, 60 otherwise. */
const HORIZON_EPOCHS = { equalPay: 10, byStake: 30 } as const
/** The maximum of `allocate`, so that this strategy compares with the oracle, which has no limit. */
const MANY = LIMITS.allocationValidators.max

export const OURS_STARTED_WITH_MANY = `ours, started with up to ${MANY} validators`

export const strategies = (every: number): readonly Strategy[] => [
  ...plainRules(every),
  { name: 'ours, allocated anew each epoch', every: 1, movesForFree: false, decide: allocateAmong(COUNT) },
  {
    name: 'ours, allocator and planner',
    every: 1,
    movesForFree: false,
    decide: planFrom(allocateAmong(COUNT)),
  },
  oursWith(OURS_STARTED_WITH_MANY, unchanged),
  {
    name: 'top-10 by stake, then our planner',
    every: 1,
    movesForFree: false,
    decide: planFrom(largestEqually),
  },
  ...oracles(),
]

/** The service's allocator with its maximum of validators, then its planner, on an adjusted market. */
export const oursWith = (name: string, adjust: Adjustment): Strategy => ({
  name,
  every: 1,
  movesForFree: false,
  decide: planFrom(allocateAmong(MANY, adjust), adjust),
})

/** Changes the market before a strategy sees it. */
type Adjustment = (market: StakeOptions) => StakeOptions

const unchanged: Adjustment = (market) => market

function allocateAmong(maxValidators: number, adjust = unchanged) {
  return ({ market, amount }: MarketView): Portfolio => {
    const { allocations } = allocator(adjust(market()))({ amount, maxValidators })
    return new Map(allocations.map(({ validatorId, weight }) => [validatorId, weight]))
  }
}

/** Like a customer of the service: starts with `start`, then follows every rebalance plan, with the most targets it may have. */
const planFrom =
  (start: (view: MarketView) => Portfolio, adjust = unchanged) =>
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
    const pools = adjust(
      market(new Map(tokens.map(({ validatorId, principal }) => [validatorId, principal]))),
    )
    const horizonEpochs = dilutes ? HORIZON_EPOCHS.equalPay : HORIZON_EPOCHS.byStake
    const { steps } = planRebalance(pools, { tokens, maxTargets: LIMITS.rebalanceTargets, horizonEpochs })
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
