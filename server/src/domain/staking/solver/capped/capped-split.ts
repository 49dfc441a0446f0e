import { findBestSplit, type Split, type SplitPart } from '../best-split.ts'
import { inOrder, takeHighest } from '../branching.ts'
import { dominates } from '../dominance.ts'
import type { SplitProblem } from '../dual-bound.ts'
import type { RewardCurve } from '../reward-curve.ts'
import { chooseMostRoom } from './capped-room.ts'
import { type CappedProblem, cappedProblem, type GroupCap, isWithin } from './group-caps.ts'
import { splitByKind } from './split-by-kind.ts'
import { type Best, type Node, newSearch, type Search, tighten } from './tighten-node.ts'

export type { GroupCap } from './group-caps.ts'

/** Most branches. The first nearly always solves it; otherwise the gap reports what is left open. */
const MAX_NODES = 300
/** Most fillings over all nodes, which are most of the work. */
const MAX_FILLS = 250

/**
 * The best split that keeps every group within its cap. Without a violation it is the best split. Otherwise the curves
 * that were chosen are filled within the caps; that shows what a unit is worth more inside a full group than outside.
 * This difference is a toll: with it on every unit of the group, the best split without caps keeps them. For any tolls
 * that split, plus what full groups would pay, bounds what any split can reach. Where both meet, the split is proven
 * optimal; where they do not, curves are tried both in and out. Undefined when there is none; where many groups overlap
 * in many ways, when none was found.
 */
export function findCappedSplit(problem: SplitProblem, groups: readonly GroupCap[]): Split | undefined {
  const free = findBestSplit(problem)
  if (!free || groups.length === 0 || isWithin(free.parts, groups)) return free
  const caps = cappedProblem(problem, groups)
  const search = newSearch(caps)
  const waiting: Node[] = [firstNode(caps, search, free)]
  let settled = Number.NEGATIVE_INFINITY
  let nodes = 0
  for (; nodes < MAX_NODES && search.fills() < MAX_FILLS; nodes++) {
    const node = takeHighest(waiting)
    if (!node) break
    const { bound, prices, branch, splitOn } = tighten(caps, node, search)
    if (search.reaches(bound) || !splitOn) settled = Math.max(settled, bound)
    else waiting.push(...splitNode(caps, { ...branch, bound, prices }, splitOn))
  }
  const best = search.best() ?? (caps.areApart ? undefined : splitByKind(caps, free.price))
  if (!best) return undefined
  const bound = waiting.reduce((highest, node) => Math.max(highest, node.bound), settled)
  return toSplit(problem, best, Math.max(bound, best.value), Math.max(1, nodes))
}

const chosenIn = ({ parts }: Split): readonly RewardCurve[] =>
  parts.filter((part) => !part.free).map(({ curve }) => curve)

/** The root node. Its prices come from filling the uncapped choice within the caps. */
function firstNode(caps: CappedProblem, search: Search, free: Split): Node {
  const branch = { forced: [], open: inOrder(caps.problem.choices) }
  const filled =
    search.tryChoice(chosenIn(free), free.price) ??
    search.tryChoice(chooseMostRoom(caps, branch).chosen, free.price)
  return { ...branch, bound: free.bound, prices: filled ?? { price: free.price, tolls: new Map() } }
}

/** The two cases as without groups. Dominance holds only for curves whose groups all contain the dominated one. */
function splitNode({ problem, groupsOf }: CappedProblem, node: Node, curve: RewardCurve): readonly Node[] {
  const forced = [...node.forced, curve]
  const others = node.open.filter((other) => other !== curve)
  const canReplace = (other: RewardCurve): boolean =>
    groupsOf(curve).every((group) => group.members.has(other)) && dominates(curve, other, problem.most)
  return [
    { ...node, forced, open: forced.length < problem.maxChosen ? others : [] },
    { ...node, open: others.filter((other) => !canReplace(other)) },
  ]
}

function toSplit(
  problem: SplitProblem,
  { chosen, amounts, value, price }: Best,
  bound: number,
  nodes: number,
): Split {
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
    nodes,
  }
}
