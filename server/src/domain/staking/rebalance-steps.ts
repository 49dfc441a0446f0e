import { epochsUntilFree } from './epoch-rules.ts'
import type { Moves, Outflow } from './rebalance-moves.ts'
import { rewardOf } from './reward-curve.ts'
import { compareIds } from './score.ts'
import type { StakeOptions } from './stake-options.ts'

export type RebalanceStep = {
  readonly action: 'unstake' | 'stake'
  readonly validatorId: string
  readonly amount: bigint
  /** Unstake: the funds come in a later epoch. Stake: it is paid with such funds, which are withdrawn first. */
  readonly requiresEpochWait: boolean
  readonly order: number
  /** The token to unstake; when the amount is less than its principal, that much is split off. */
  readonly stakedTokenId: string | undefined
}

/** Unstakes first, the worst rate first, so that a plan that is broken off has done most of its good. */
export function stepsOf(market: StakeOptions, { outflows, inflows }: Moves): readonly RebalanceStep[] {
  const rate = ({ keep }: Outflow): number => rewardOf(keep.curve, Number(keep.staked)) / Number(keep.staked)
  const unstakes = outflows
    .toSorted((a, b) => rate(a) - rate(b) || compareIds(a.keep.option.validatorId, b.keep.option.validatorId))
    .flatMap(({ keep, parts }) =>
      parts.map(({ position, amount }) => ({
        action: 'unstake' as const,
        validatorId: position.validatorId,
        amount,
        requiresEpochWait: epochsUntilFree(market.network, keep.option) > 0,
        stakedTokenId: position.stakedTokenId,
      })),
    )
  const waits = unstakes.some(({ requiresEpochWait }) => requiresEpochWait)
  const stakes = inflows
    .toSorted(
      (a, b) =>
        b.target.curve.entry - a.target.curve.entry ||
        compareIds(a.target.option.validatorId, b.target.option.validatorId),
    )
    .map(({ target, amount }) => ({
      action: 'stake' as const,
      validatorId: target.option.validatorId,
      amount,
      requiresEpochWait: waits,
      stakedTokenId: undefined,
    }))
  return [...unstakes, ...stakes].map((step, index) => ({ ...step, order: index + 1 }))
}
