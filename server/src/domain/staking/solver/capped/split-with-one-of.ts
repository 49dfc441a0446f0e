import { sortedByEntry } from '../branching.ts'
import { dueFor, type SplitProblem, surplusAt } from '../dual-bound.ts'
import type { RewardCurve } from '../reward-curve.ts'
import { cappedBoundAt, type Prices } from './capped-bound.ts'
import { type CappedSplit, findCappedSplit } from './capped-split.ts'
import { type CappedProblem, cappedProblem, type GroupCap } from './group-caps.ts'
import { halfOf, type SearchWork } from './search-work.ts'
import type { UnitCheck } from './units/unit-check.ts'

/**
 * The best split in which at least one member of `oneOf` takes part. If the best split has none, the members are
 * forced in one after the other, highest bound first, until no other bound exceeds the best split found or no work is
 * left: then the bound covers what was not searched.
 */
export function findSplitWithOneOf(
  problem: SplitProblem,
  groups: readonly GroupCap[],
  oneOf: ReadonlySet<RewardCurve>,
  { work, check }: { readonly work: SearchWork; readonly check?: UnitCheck | undefined },
): CappedSplit | undefined {
  const best = findCappedSplit(problem, groups, { work: halfOf(work), check })
  if (!best || best.parts.some(({ curve }) => oneOf.has(curve))) return best
  const caps = cappedProblem(problem, groups)
  let waiting = tightenBounds(
    caps,
    best,
    problem.choices.flatMap((curve) => (oneOf.has(curve) ? [{ curve, bound: best.bound }] : [])),
  )
  let found: CappedSplit | undefined
  let settled = Number.NEGATIVE_INFINITY
  let { nodes } = best
  while (work.units > 0) {
    const [first, ...others] = waiting
    if (!first || (found && first.bound <= found.value)) break
    const half = halfOf(work)
    const split = findCappedSplit(withForced(problem, first.curve), groups, { work: half, check })
    nodes += split?.nodes ?? 1
    if (split || half.units <= 0) settled = Math.max(settled, Math.min(first.bound, split?.bound ?? Infinity))
    if (split && (!found || split.value > found.value)) found = split
    waiting = split ? tightenBounds(caps, split, others) : others
  }
  if (work.units <= 0) check?.cutShort()
  return found && { ...found, bound: Math.max(settled, waiting[0]?.bound ?? settled, found.value), nodes }
}

/** A member, and an upper bound on every split that includes it. */
type Member = { readonly curve: RewardCurve; readonly bound: number }

/**
 * Tightens the members' bounds with the prices of one more split: a member that is not chosen replaces the last chosen curve. Sorts
 * by bound, highest first.
 */
function tightenBounds(caps: CappedProblem, prices: Prices, members: readonly Member[]): readonly Member[] {
  const { problem } = caps
  const point = cappedBoundAt(caps, { forced: [], open: sortedByEntry(problem.choices) }, prices)
  const chosen = new Set(point.chosen)
  return members
    .map(({ curve, bound }) => {
      const change = chosen.has(curve)
        ? 0
        : surplusAt(problem, curve, dueFor(curve, prices.price, point.charges)) - point.lastSurplus
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
