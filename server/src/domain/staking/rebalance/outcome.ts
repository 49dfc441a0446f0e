import { compoundYearly } from '../../network/year.ts'
import { rewardOf } from '../solver/reward-curve.ts'
import type { StakeOption, StakeOptions } from '../stake-options.ts'
import { type Moves, STAY } from './flows.ts'
import { assuredPayout, ROUNDING, tokenValue } from './held-token.ts'
import type { RebalanceProblem } from './problem.ts'
import type { SwitchingCost } from './switching-rules.ts'

/** The caller's whole holding with a validator, and its yearly reward. */
type Earning = { readonly amount: number; readonly reward: number }

export type Outcome = {
  /** Percent; both by the same estimate. Idle stake earns 0. */
  readonly currentApy: number
  readonly projectedApy: number
  /** Gain per year and unit of the whole stake, over the horizon and after the cost of moving. */
  readonly net: number
  /** The number of epochs after which the moves have earned back their cost; infinite if they never do. */
  readonly breakEvenEpochs: number
}

/** The gain of the moves over the horizon. `lost`: the mean number of epochs in which a moved unit earns nothing. */
export function judgeMoves(
  { pool }: StakeOptions,
  problem: RebalanceProblem,
  moves: Moves,
  { weighedEpochs, stillEarning, lost }: SwitchingCost & { readonly lost: number },
): Outcome {
  const { arrival } = problem
  const current = earningsAfter(problem, STAY)
  const projected = earningsAfter(problem, moves)
  const arriving = moves.inflows.reduce(
    (sum, { target, amount }) => sum + rewardOf(target.curve, Number(amount)) / arrival,
    0,
  )
  const gain = rewardSum(projected) - rewardSum(current)
  const total = problem.split.amount
  return {
    currentApy: weightedApy(current, total, pool.epochsPerYear),
    projectedApy: weightedApy(projected, total, pool.epochsPerYear),
    net: ((weighedEpochs - stillEarning) * gain - lost * arriving) / weighedEpochs / total,
    breakEvenEpochs: gain > 0 ? Math.max(1, Math.ceil(stillEarning + (lost * arriving) / gain)) : Infinity,
  }
}

/**
 * Whether the limits are still broken after these moves, because too little may move or there is no room elsewhere.
 */
export function stillBreaksLimits(
  { keeps, groups, idle, heldBack }: RebalanceProblem,
  { outflows, inflows }: Moves,
): boolean {
  const paid = [...outflows.flatMap(({ parts }) => parts), ...idle]
  const coins = paid.reduce((sum, part) => sum + assuredPayout(part), 0n)
  if (inflows.reduce((sum, { amount }) => sum - amount, coins) < heldBack) return true
  const left = new Map(outflows.map(({ keep, amount }) => [keep, amount]))
  const stays = keeps.map((keep) => ({ keep, amount: keep.staked - (left.get(keep) ?? 0n) }))
  if (stays.some(({ keep, amount }) => amount > keep.allowed)) return true
  return groups.some(({ validatorIds, units }) => {
    let here = 0n
    for (const { keep, amount } of stays) if (validatorIds.has(keep.option.validatorId)) here += amount
    for (const { target, amount } of inflows) if (validatorIds.has(target.option.validatorId)) here += amount
    // Tolerance: tokens with rewards cannot be split to the unit.
    return here > units + ROUNDING * BigInt(validatorIds.size)
  })
}

/** The earnings of each validator after the moves. Idle stake earns nothing and has no entry. */
function earningsAfter(
  { keeps, arrival }: RebalanceProblem,
  { outflows, inflows }: Moves,
): readonly Earning[] {
  const left = new Map(
    outflows.map(({ keep, parts }) => [
      keep.option,
      Number(parts.reduce((sum, part) => sum + tokenValue(part), 0n)),
    ]),
  )
  const earnings = new Map<StakeOption, Earning>()
  for (const { option, curve, staked } of keeps) {
    const amount = Number(staked) - (left.get(option) ?? 0)
    if (amount > 0) earnings.set(option, { amount, reward: rewardOf(curve, amount) })
  }
  for (const { target, amount } of inflows) {
    const before = earnings.get(target.option)
    earnings.set(target.option, {
      amount: (before?.amount ?? 0) + Number(amount),
      reward: (before?.reward ?? 0) + rewardOf(target.curve, Number(amount)) / arrival,
    })
  }
  return [...earnings.values()]
}

const rewardSum = (earnings: readonly Earning[]): number =>
  earnings.reduce((sum, { reward }) => sum + reward, 0)

function weightedApy(earnings: readonly Earning[], total: number, epochsPerYear: number): number {
  return earnings.reduce(
    (sum, { amount, reward }) =>
      sum + (amount / total) * 100 * compoundYearly(reward / amount, epochsPerYear),
    0,
  )
}
