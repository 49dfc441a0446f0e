import type { RebalanceProblem } from '../problem.ts'

/** The steps in which caps are raised, from the caller's cap to what a group holds. */
const STEPS = 64n

/**
 * The problem with the caps of groups that hold more raised in proportion to the excess, by as few steps as `isPossible`
 * allows. With all steps nothing has to leave a group, and nothing may be added to it.
 */
export function easeGroups(
  problem: RebalanceProblem,
  isPossible: (eased: RebalanceProblem) => boolean,
): RebalanceProblem {
  let [low, high] = [0n, STEPS]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isPossible(withCapsRaised(problem, middle))) high = middle
    else low = middle
  }
  return withCapsRaised(problem, high)
}

function withCapsRaised(problem: RebalanceProblem, steps: bigint): RebalanceProblem {
  const groups = problem.groups.map((group) => {
    const here = problem.keeps.filter(({ option }) => group.validatorIds.has(option.validatorId))
    const excess = here.reduce((sum, { staked }) => sum + staked, -group.units)
    if (excess <= 0n) return group
    const units = group.units + (excess * steps) / STEPS
    return { ...group, units, most: Number(units) }
  })
  return { ...problem, groups }
}
