import { allocator } from '../allocation/allocation.ts'
import type { AllocationRequest } from '../allocation/allocation-terms.ts'
import { assumedToken } from '../rebalance/held-token.ts'
import { planRebalance } from '../rebalance/plan-rebalance.ts'
import type { StakeLimits } from '../stake-limits.ts'
import type { StakeOptions } from '../stake-options.ts'
import type { PastEpoch } from './past-epochs.ts'

/** Fractions of the amount, by validator. */
export type Portfolio = ReadonlyMap<string, number>

/** The options of every allocation and plan in a backtest. */
export type BacktestPolicy = StakeLimits &
  Pick<AllocationRequest, 'amount' | 'maxValidators'> & {
    readonly maxTurnover: number
    readonly horizonEpochs?: number
    /** Epochs between two plans. */
    readonly everyEpochs: number
  }

/** Plans move stake to this many validators at most. */
const MAX_TARGETS = 10

/** Follows the service's advice: first an allocation, then rebalance plans. */
export function decideByPolicy(past: PastEpoch, held: Portfolio, policy: BacktestPolicy): Portfolio {
  const limits = { ...policy, ...knownOnly(past.known, policy) }
  if (held.size === 0) {
    const { allocations } = allocator(past.known)(limits)
    return new Map(allocations.map(({ validatorId, weight }) => [validatorId, weight]))
  }
  const amount = Number(policy.amount)
  const tokens = [...held].map(([validatorId, part]) =>
    assumedToken({ stakedTokenId: validatorId, validatorId, principal: BigInt(Math.round(part * amount)) }),
  )
  const staked = new Map(tokens.map(({ validatorId, principal }) => [validatorId, principal]))
  const maxTargets = Math.min(MAX_TARGETS, policy.maxValidators)
  const { steps } = planRebalance(withOwnStake(past.known, staked), { ...limits, tokens, maxTargets })
  const after = new Map(held)
  for (const { action, validatorId, amount: moved } of steps) {
    const part = (action === 'stake' ? 1 : -1) * (Number(moved) / amount)
    after.set(validatorId, (after.get(validatorId) ?? 0) + part)
  }
  return new Map([...after].filter(([, part]) => part > 1e-12))
}

/** Adds the caller's own stake to the pools. On a chain they would contain it; the recorded pools do not. */
function withOwnStake(
  { options, pool, ...market }: StakeOptions,
  held: ReadonlyMap<string, bigint>,
): StakeOptions {
  let total = pool.totalStake
  for (const own of held.values()) total += Number(own)
  return {
    ...market,
    pool: { ...pool, totalStake: total },
    options: options.map((option) => {
      const own = held.get(option.validatorId)
      return own === undefined ? option : { ...option, stake: option.stake + own }
    }),
  }
}

/** Drops validators from the limits that did not exist yet. */
function knownOnly(
  { options }: StakeOptions,
  { exclude = new Set(), groups = [] }: StakeLimits,
): Pick<StakeLimits, 'exclude' | 'groups'> {
  const known = new Set(options.map(({ validatorId }) => validatorId))
  return {
    exclude: exclude.intersection(known),
    groups: groups.map((group) => ({ ...group, validatorIds: group.validatorIds.intersection(known) })),
  }
}
