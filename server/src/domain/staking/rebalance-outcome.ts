import { compoundYearly } from '../network/year.ts'
import { type Moves, STAY } from './rebalance-moves.ts'
import type { RebalanceProblem } from './rebalance-problem.ts'
import { rewardOf } from './reward-curve.ts'
import type { StakeOption, StakeOptions } from './stake-options.ts'
import type { SwitchingCost } from './switching-rules.ts'

/** The least that a plan has to gain, per year and unit of the whole stake, after the cost of moving: 2 bps. */
const MIN_GAIN = 0.0002

/** Yearly rewards of a validator's whole holding, and the holding. */
type Earning = { readonly option: StakeOption; readonly amount: number; readonly reward: number }

export type Outcome = {
  /** Percent; both by the same estimate. */
  readonly currentApy: number
  readonly projectedApy: number
  /** After this many epochs the moves have earned back what they cost. */
  readonly breakEvenEpochs: number
  readonly verdict: { readonly recommendation: 'move' | 'hold'; readonly reason: string }
}

/** What the moves bring, and whether that is worth their cost over the horizon. */
export function judgeMoves(
  { pool }: StakeOptions,
  problem: RebalanceProblem,
  moves: Moves,
  cost: SwitchingCost,
): Outcome {
  const { horizonEpochs, stillEarning, idle, arrival } = cost
  const current = earningsAfter(problem, STAY, arrival)
  const projected = earningsAfter(problem, moves, arrival)
  const arriving = moves.inflows.reduce(
    (sum, { target, amount }) => sum + rewardOf(target.curve, Number(amount)) / arrival,
    0,
  )
  const gain = rewardSum(projected) - rewardSum(current)
  const net = ((horizonEpochs - stillEarning) * gain - idle * arriving) / horizonEpochs / problem.split.amount
  const outcome = {
    currentApy: weightedApy(current, pool.epochsPerYear),
    projectedApy: weightedApy(projected, pool.epochsPerYear),
    breakEvenEpochs: Math.ceil(stillEarning + (idle * arriving) / gain),
  }
  return { ...outcome, verdict: verdictOn(moves, net, outcome, horizonEpochs) }
}

function verdictOn(
  { inflows }: Moves,
  net: number,
  { currentApy, projectedApy, breakEvenEpochs }: Omit<Outcome, 'verdict'>,
  horizonEpochs: number,
): Outcome['verdict'] {
  if (inflows.length === 0) {
    return {
      recommendation: 'hold',
      reason: `No move earns back, within ${horizonEpochs} epochs, what is lost while stake is on its way.`,
    }
  }
  if (net < MIN_GAIN || projectedApy <= currentApy) {
    const gained = (100 * net).toFixed(3)
    return {
      recommendation: 'hold',
      reason: `The best moves bring ${gained} percentage points a year after their cost: too little to move for.`,
    }
  }
  const [from, to] = [currentApy.toFixed(2), projectedApy.toFixed(2)]
  return {
    recommendation: 'move',
    reason: `Moving lifts the yield from ${from} % to ${to} %, and pays for itself after ${breakEvenEpochs} epochs.`,
  }
}

/** Rewards as they are once everything has arrived. */
function earningsAfter(
  { keeps }: RebalanceProblem,
  { outflows, inflows }: Moves,
  arrival: number,
): readonly Earning[] {
  const left = new Map(outflows.map(({ keep, amount }) => [keep.option, Number(amount)]))
  const earnings = new Map<StakeOption, Earning>()
  for (const { option, curve, staked } of keeps) {
    const amount = Number(staked) - (left.get(option) ?? 0)
    if (amount > 0) earnings.set(option, { option, amount, reward: rewardOf(curve, amount) })
  }
  for (const { target, amount } of inflows) {
    const before = earnings.get(target.option)
    earnings.set(target.option, {
      option: target.option,
      amount: (before?.amount ?? 0) + Number(amount),
      reward: (before?.reward ?? 0) + rewardOf(target.curve, Number(amount)) / arrival,
    })
  }
  return [...earnings.values()]
}

const rewardSum = (earnings: readonly Earning[]): number =>
  earnings.reduce((sum, { reward }) => sum + reward, 0)

function weightedApy(earnings: readonly Earning[], epochsPerYear: number): number {
  const total = earnings.reduce((sum, { amount }) => sum + amount, 0)
  return earnings.reduce(
    (sum, { amount, reward }) =>
      sum + (amount / total) * 100 * compoundYearly(reward / amount, epochsPerYear),
    0,
  )
}
