import { firstDifference, isSameChoice, sortedByEntry, takeHighest } from './branching.ts'
import { dominates } from './dominance.ts'
import { type Branch, boundAt, type DualPoint, type SplitProblem, slotsOf, surplusAt } from './dual-bound.ts'
import { likelyPrice } from './likely-price.ts'
import { byEntry, type RewardCurve } from './reward-curve.ts'
import { type Filling, fillSlots } from './water-fill.ts'

/** Limits of the search. When one is reached, the best split so far is returned with its remaining gap. */
type Effort = {
  readonly nodes: number
  /** Curve evaluations over all nodes. */
  readonly evaluations: number
}
const EFFORT: Effort = { nodes: 200, evaluations: 600_000 }
const MAX_PRICES_PER_NODE = 80
/** A relative gap below this is float rounding. */
const TOLERANCE = 1e-13

export type SplitPart = { readonly curve: RewardCurve; readonly amount: number; readonly free: boolean }

export type Split = {
  readonly parts: readonly SplitPart[]
  readonly value: number
  /** A proven upper bound on the gain of any split. */
  readonly bound: number
  readonly price: number
  readonly nodes: number
}

type Node = Branch & { readonly bound: number; readonly price: number }
type Best = { readonly chosen: readonly RewardCurve[]; readonly filling: Filling }

/**
 * The best split, by branch and bound. Each node has a dual bound and a feasible split. Nearly always the two are
 * equal at the first node, which proves the split optimal. Otherwise the search branches on a curve that is chosen on
 * one side of the critical price and not on the other. Undefined if no split is possible.
 */
export function findBestSplit(problem: SplitProblem, effort: Effort = EFFORT): Split | undefined {
  if (!hasRoom(problem)) return undefined
  const search = newSearch(problem)
  const choices = sortedByEntry(problem.choices)
  const price = firstPrice(problem, choices)
  // Where free slots can hold the whole amount, choosing nothing is feasible.
  if (problem.free.length > 0) search.tryChoice([], price)
  const waiting: Node[] = [{ forced: [], open: choices, bound: Number.POSITIVE_INFINITY, price }]
  let settled = Number.NEGATIVE_INFINITY
  let nodes = 0
  while (nodes < effort.nodes && search.evaluations() < effort.evaluations) {
    const node = takeHighest(waiting)
    if (!node) break
    nodes++
    const { bound, price, branch, splitOn } = tighten(problem, node, search)
    // The node is settled if the split reaches its bound or there is nothing to branch on: its bound is final.
    if (search.reaches(bound) || !splitOn) settled = Math.max(settled, bound)
    else waiting.push(...splitNode(problem, { ...branch, bound, price }, splitOn))
  }
  // The most profitable curves may be capped below the amount; then the curves with the largest caps are tried.
  if (!search.best()) search.tryChoice(largestCaps(problem.choices, problem.maxChosen), price)
  const best = search.best()
  if (!best) return undefined
  const open = waiting.reduce((highest, { bound }) => Math.max(highest, bound), settled)
  return toSplit(problem, best, Math.max(open, best.filling.value), Math.max(1, nodes))
}

function hasRoom({ amount, choices, most, maxChosen, free }: SplitProblem): boolean {
  const enough = amount * (1 - 1e-12)
  const inFree = free.reduce((sum, slot) => sum + slot.most, 0)
  const holds = (chosen: readonly RewardCurve[]): boolean =>
    chosen.reduce((room, { cap }) => room + Math.min(most, cap), inFree) >= enough
  // Checked first because it needs no sorting: nearly always any choice has enough room.
  return holds(choices.slice(0, maxChosen)) || holds(largestCaps(choices, maxChosen))
}

const largestCaps = (choices: readonly RewardCurve[], count: number): readonly RewardCurve[] =>
  choices.toSorted((a, b) => b.cap - a.cap || byEntry(a, b)).slice(0, count)

/** Keeps the incumbent and counts the work. */
function newSearch(problem: SplitProblem) {
  let best: Best | undefined
  let evaluations = 0
  return {
    best: (): Best | undefined => best,
    evaluations: (): number => evaluations,
    count: (curves: number): void => {
      evaluations += curves
    },
    /** Whether the incumbent reaches `bound` within the tolerance. */
    reaches: (bound: number): boolean =>
      best !== undefined && bound - best.filling.value <= slack(problem, best),
    room: (bound: number): number =>
      best ? bound - best.filling.value + slack(problem, best) : Number.POSITIVE_INFINITY,
    tryChoice: (chosen: readonly RewardCurve[], price: number): Filling | undefined => {
      const filling = fillSlots(slotsOf(problem, chosen), problem.amount, problem.risk, price)
      if (filling && (!best || filling.value > best.filling.value)) best = { chosen, filling }
      return filling
    },
  }
}

type Search = ReturnType<typeof newSearch>

const slack = ({ amount }: SplitProblem, { filling }: Best): number =>
  TOLERANCE * Math.max(Math.abs(filling.value), Math.abs(filling.price) * amount)

/**
 * Searches the price with the lowest bound. The next guess is the price at which the current choice is filled: if it
 * leads to the same choice again, bound and split are equal and the node is solved.
 */
function tighten(problem: SplitProblem, node: Node, search: Search) {
  if (search.reaches(node.bound)) return { ...node, branch: node, splitOn: undefined }
  let branch: Branch = node
  let { bound, price } = node
  let low: Side = { price: Number.NEGATIVE_INFINITY, chosen: [], filled: undefined }
  let high: Side = { price: Number.POSITIVE_INFINITY, chosen: [], filled: undefined }
  for (let step = 0; step < MAX_PRICES_PER_NODE; step++) {
    const point = boundAt(problem, branch, price)
    search.count(branch.open.length + branch.forced.length + problem.free.length)
    bound = Math.min(bound, point.bound)
    if (search.reaches(bound)) break
    const known = [low, high].find(({ chosen }) => isSameChoice(chosen, point.chosen))
    const filled = known?.filled ?? search.tryChoice([...branch.forced, ...point.chosen], price)?.price
    if (search.reaches(bound) || point.excess === 0) break
    // The second price nearly always solves the node, so pruning pays only after that.
    if (step > 0) branch = pruneHopeless(problem, branch, point, price, search.room(point.bound))
    const side = { price, chosen: point.chosen, filled }
    if (point.excess > 0) low = side
    else high = side
    const next = nextPrice(low.price, high.price, filled, step)
    if (next === undefined) break
    price = next
  }
  return { bound, price, branch, splitOn: firstDifference(low.chosen, high.chosen) }
}

/** The choice at a price that is too low or too high, and the price at which that choice takes the whole amount. */
type Side = {
  readonly price: number
  readonly chosen: readonly RewardCurve[]
  readonly filled: number | undefined
}

function nextPrice(low: number, high: number, filled: number | undefined, step: number): number | undefined {
  if (filled !== undefined && filled > low && filled < high && step % 4 < 3) return filled
  const stride = Math.max(Math.abs(low), Math.abs(high))
  if (low === Number.NEGATIVE_INFINITY) return high - Math.max(1e-9, Math.abs(high)) * 2 ** (step - 6)
  if (high === Number.POSITIVE_INFINITY) return low + Math.max(1e-9, Math.abs(low)) * 2 ** (step - 6)
  const middle = low + (high - low) / 2
  return high - low <= 1e-14 * stride || middle <= low || middle >= high ? undefined : middle
}

/** Prunes curves that could not lift this branch above the incumbent even if they were forced in. */
function pruneHopeless(
  problem: SplitProblem,
  branch: Branch,
  { lastSurplus }: DualPoint,
  price: number,
  room: number,
): Branch {
  if (branch.open.length === 0) return branch
  const needed = lastSurplus - room
  const open = branch.open.filter((curve) => surplusAt(problem, curve, price) >= needed)
  return open.length === branch.open.length ? branch : { forced: branch.forced, open }
}

/**
 * Branches on a curve: it is in, or it is out. If it is out, every curve that it dominates is out, too: it could
 * replace that curve, which is the other branch. This breaks symmetry: otherwise equal curves would be tried in every
 * order.
 */
function splitNode(problem: SplitProblem, node: Node, undecided: RewardCurve): readonly Node[] {
  const { most, maxChosen } = problem
  const curve = node.open.find((other) => dominates(other, undecided, most)) ?? undecided
  const forced = [...node.forced, curve]
  const others = node.open.filter((other) => other !== curve)
  return [
    { ...node, forced, open: forced.length < maxChosen ? others : [] },
    { ...node, open: others.filter((other) => !dominates(curve, other, most)) },
  ]
}

/** The initial guess of the price. */
function firstPrice(
  { amount, risk, maxChosen, free }: SplitProblem,
  choices: readonly RewardCurve[],
): number {
  const first = choices.slice(0, maxChosen)
  const likely = free.length > 0 ? [...free.map(({ curve }) => curve), ...first].toSorted(byEntry) : first
  return likelyPrice(likely, amount, risk)
}

function toSplit(problem: SplitProblem, { chosen, filling }: Best, bound: number, nodes: number): Split {
  const parts = slotsOf(problem, chosen).map(({ curve }, index) => ({
    curve,
    amount: filling.amounts[index] ?? 0,
    free: index < problem.free.length,
  }))
  return { parts, value: filling.value, bound, price: filling.price, nodes }
}
