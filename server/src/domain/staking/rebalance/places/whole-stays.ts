import { smaller } from '../../../amount.ts'
import type { Split } from '../../solver/best-split.ts'
import type { RebalanceProblem, Target } from '../problem.ts'
import { type Keep, remainingStake } from './keep.ts'

/** Relative to the amount: float splits keep a cap within this tolerance. */
const ROUNDING = 1e-9

type Placed = {
  /** The targets that get stake. */
  readonly targets: readonly Target[]
  /** The leaving amounts that are known to the unit. */
  readonly leaves: ReadonlyMap<Keep, bigint>
  readonly minStake: bigint
}

/**
 * The stake of each holding that stays, in whole units. The floats of a split may exceed the cap of a group by a few
 * units; then holdings in the group that lose stake anyway lose a little more, so that each target in the group has
 * room for the smallest stake.
 */
export function wholeStays(
  { keeps, groups, split: { amount } }: RebalanceProblem,
  split: Split,
  { targets, leaves, minStake }: Placed,
): (keep: Keep) => bigint {
  const receiving = new Set(targets.map(({ option }) => option))
  const stays = new Map(
    keeps.map((keep) => {
      const known = leaves.get(keep)
      if (receiving.has(keep.option)) return [keep, keep.staked]
      return [keep, known === undefined ? remainingStake(keep, split) : keep.staked - known]
    }),
  )
  const staysOf = (keep: Keep): bigint => stays.get(keep) ?? keep.staked
  const rounding = BigInt(Math.ceil(ROUNDING * amount))
  for (const { validatorIds, units } of groups) {
    const here = keeps.filter(({ option }) => validatorIds.has(option.validatorId))
    const arriving = targets.filter(({ option }) => validatorIds.has(option.validatorId)).length
    let excess = here.reduce((sum, keep) => sum + staysOf(keep), BigInt(arriving) * minStake - units)
    if (arriving === 0 || excess > rounding) continue
    for (const keep of here) {
      if (excess <= 0n || staysOf(keep) === keep.staked) continue
      const less = smaller(excess, staysOf(keep))
      stays.set(keep, staysOf(keep) - less)
      excess -= less
    }
  }
  return staysOf
}
