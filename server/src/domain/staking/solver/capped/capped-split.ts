import { findBestSplit, type Split, type SplitPart } from '../best-split.ts'
import { sortedByEntry } from '../branching.ts'
import type { SplitProblem } from '../dual-bound.ts'
import type { RewardCurve } from '../reward-curve.ts'
import { searchBranches } from './branches/search-branches.ts'
import type { Prices } from './capped-bound.ts'
import { chooseMostRoom } from './capped-room.ts'
import { type CappedProblem, cappedProblem, type GroupCap, isWithin } from './group-caps.ts'
import type { SearchWork } from './search-work.ts'
import { type Best, type Node, newSearch, type Search, tighten } from './tighten-node.ts'
import type { UnitCheck } from './units/unit-check.ts'

export type { GroupCap } from './group-caps.ts'

/**
 * The best split that keeps every group within its cap. If the best split without caps keeps them, it is the answer.
 * Otherwise its curves are filled within the caps, which shows by how much a unit is worth more inside a full group
 * than outside. This difference is a toll (a Lagrange multiplier): if every unit of the group pays it, the best split
 * without caps keeps the caps. For any tolls, the gain of that split after tolls plus the income from full groups is
 * an upper bound. If a split reaches the bound, it is optimal; if not (for example with overlapping groups), branch
 * and bound follows, until no work is left. Undefined with work left: there is no split. Undefined without: none was
 * found. With a check, only splits count that are possible in whole units.
 */
export function findCappedSplit(
  problem: SplitProblem,
  groups: readonly GroupCap[],
  { work, check }: Options,
): CappedSplit | undefined {
  const free = findBestSplit(problem)
  work.units -= (free?.nodes ?? 1) * problem.choices.length
  if (!free) return undefined
  if (isWithin(free.parts, groups) && isWhole(free, check)) return { ...free, tolls: new Map() }
  const caps = cappedProblem(problem, groups)
  const search = newSearch(caps, check)
  const { bound: first, branch, prices } = tighten(caps, firstNode(caps, search, free), { search, work })
  const { bound, nodes } = search.reaches(first)
    ? { bound: first, nodes: 1 }
    : searchBranches(caps, { ...branch, bound: first, prices }, search, { work, check })
  const best = search.best()
  return best && toSplit(problem, best, Math.max(bound, best.value), nodes)
}

/** A split and its dual prices. */
export type CappedSplit = Split & Prices
type Options = { readonly work: SearchWork; readonly check?: UnitCheck | undefined }

const isWhole = ({ parts }: Split, check: UnitCheck | undefined): boolean =>
  !check || check.unitsFor(parts.map(({ curve }) => curve)) !== undefined

const chosenIn = ({ parts }: Split): readonly RewardCurve[] =>
  parts.filter((part) => !part.free).map(({ curve }) => curve)

/**
 * The root node. Its prices come from filling the uncapped choice within the caps. If that choice cannot hold the
 * amount, they come from the curves with the highest entries, which are near the best choice: first about twice as
 * many curves, then `maxChosen`. The last resort are the curves with the most room.
 */
function firstNode(caps: CappedProblem, search: Search, free: Split): Node {
  const { maxChosen } = caps.problem
  const branch = { forced: [], open: sortedByEntry(caps.problem.choices) }
  const uncapped = chosenIn(free)
  const more = Math.min(maxChosen, 2 * uncapped.length + 1)
  const filled =
    search.tryChoice(uncapped) ??
    search.tryChoice(branch.open.slice(0, more)) ??
    search.tryChoice(branch.open.slice(0, maxChosen)) ??
    search.tryChoice(chooseMostRoom(caps, branch).chosen)
  return { ...branch, bound: free.bound, prices: filled ?? { price: free.price, tolls: new Map() } }
}

function toSplit(
  problem: SplitProblem,
  { chosen, amounts, value, price, tolls }: Best,
  bound: number,
  nodes: number,
): CappedSplit {
  const partOf = (curve: RewardCurve, free: boolean): SplitPart => ({
    curve,
    amount: amounts.get(curve) ?? 0,
    free,
  })
  return {
    parts: [
      ...problem.free.map(({ curve }) => partOf(curve, true)),
      ...chosen.map((curve) => partOf(curve, false)),
    ],
    value,
    bound,
    price,
    tolls,
    nodes,
  }
}
