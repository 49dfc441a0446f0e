import type { Reply } from '@stakewright/client'
import { toSimple } from '../allocation/rates.ts'

type Plan = Pick<Reply<'planRebalance'>, 'summary' | 'steps' | 'currentPositions'>

/** Total rewards in smallest units after a number of epochs, if the stake stays and if it moves. */
export type RewardsAhead = {
  readonly hold: (epochs: number) => number
  readonly move: (epochs: number) => number
  /** The epoch at which the move is complete: from here on all stake earns the new rate. */
  readonly complete: number
  /** The epoch at which both have earned the same. */
  readonly crossing: number
}

/**
 * Moving stake earns at its old validator until the last epoch before the move is complete, nothing in that epoch,
 * and the new rate from then on. An APY is compounded, so an epoch pays less than its share of the year.
 */
export function rewardsAhead(
  { summary, steps, currentPositions }: Plan,
  epochsPerYear: number,
): RewardsAhead {
  const perEpoch = (apy: number) => toSimple(apy, epochsPerYear) / 100 / epochsPerYear
  const apyAt = new Map<string, number>()
  let held = 0n
  for (const { validator, stakedAmount, rewards, currentApy } of currentPositions) {
    held += BigInt(stakedAmount) + BigInt(rewards)
    apyAt.set(validator, Math.max(currentApy, apyAt.get(validator) ?? 0))
  }
  const before = Number(held) * perEpoch(summary.currentWeightedApy)
  const after = Number(held) * perEpoch(summary.projectedWeightedApy)
  const missed = steps
    .filter(({ action }) => action === 'unstake')
    .reduce((sum, { validator, amount, rewards = '0' }) => {
      return sum + Number(BigInt(amount) + BigInt(rewards)) * perEpoch(apyAt.get(validator) ?? 0)
    }, 0)
  const complete = summary.estimatedEpochsToComplete
  const idleFrom = Math.max(0, complete - 1)
  const move = (epochs: number) => {
    if (epochs <= idleFrom) return before * epochs
    if (epochs <= complete) return before * epochs - missed * (epochs - idleFrom)
    return before * complete - missed + after * (epochs - complete)
  }
  const hold = (epochs: number) => before * epochs
  return { hold, move, complete, crossing: complete + missed / (after - before) }
}
