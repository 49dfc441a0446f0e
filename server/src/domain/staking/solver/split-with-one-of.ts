import type { Split } from './best-split.ts'
import { inOrder } from './branching.ts'
import { findCappedSplit, type GroupCap } from './capped/capped-split.ts'
import type { UnitCheck } from './capped/units/unit-check.ts'
import { boundAt, type SplitProblem, surplusAt } from './dual-bound.ts'
import type { RewardCurve } from './reward-curve.ts'

/** Limit of the branch-and-bound nodes over all members, once a split is found. The remaining gap is reported. */
const MAX_NODES = 400

/**
 * The best split in which at least one member of `oneOf` takes part. If the best split has none, the members are
 * forced in one after the other, highest bound first, until no other bound exceeds the best split found.
 */
export function findSplitWithOneOf(
  problem: SplitProblem,
  groups: readonly GroupCap[],
  oneOf: ReadonlySet<RewardCurve>,
  check?: UnitCheck,
): Split | undefined {
  const best = findCappedSplit(problem, groups, { check })
  if (!best || best.parts.some(({ curve }) => oneOf.has(curve))) return best
  let waiting = tightenBounds(
    problem,
    best.price,
    problem.choices.flatMap((curve) => (oneOf.has(curve) ? [{ curve, bound: best.bound }] : [])),
  )
  let found: Split | undefined
  let settled = Number.NEGATIVE_INFINITY
  let { nodes } = best
  while (nodes < MAX_NODES || !found) {
    const [first, ...others] = waiting
    if (!first || (found && first.bound <= found.value)) break
    const split = findCappedSplit(withForced(problem, first.curve), groups, { check })
    nodes += split?.nodes ?? 1
    if (split) settled = Math.max(settled, Math.min(first.bound, split.bound))
    if (split && (!found || split.value > found.value)) found = split
    waiting = split ? tightenBounds(problem, split.price, others) : others
  }
  return found && { ...found, bound: Math.max(settled, waiting[0]?.bound ?? settled, found.value), nodes }
}

/** A member, and an upper bound on every split that includes it. */
type Member = { readonly curve: RewardCurve; readonly bound: number }

/**
 * Tightens the members' bounds with one more price: a member that is not chosen replaces the last chosen curve. Sorts
 * by bound, highest first.
 */
function tightenBounds(problem: SplitProblem, price: number, members: readonly Member[]): readonly Member[] {
  const point = boundAt(problem, { forced: [], open: inOrder(problem.choices) }, price)
  const chosen = new Set(point.chosen)
  return members
    .map(({ curve, bound }) => {
      const change = chosen.has(curve) ? 0 : surplusAt(problem, curve, price) - point.lastSurplus
      return { curve, bound: Math.min(bound, point.bound + change) }
    })
    .sort((one, other) => other.bound - one.bound)
}

function withForced(problem: SplitProblem, curve: RewardCurve): SplitProblem {
  const { choices, free, least, most, maxChosen } = problem
  return {
    ...problem,
    choices: choices.filter((other) => other !== curve),
    maxChosen: maxChosen - 1,
    free: [...free, { curve, least, most: Math.min(most, curve.cap) }],
  }
}
