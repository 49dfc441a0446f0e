import { firstDifference, isSameChoice } from '../branching.ts'
import type { Branch } from '../dual-bound.ts'
import type { RewardCurve } from '../reward-curve.ts'
import { cappedBoundAt, descend, type Prices, pruneHopeless } from './capped-bound.ts'
import { type CappedFilling, fillCapped } from './capped-fill.ts'
import { chooseMostRoom, isTooNarrow } from './capped-room.ts'
import type { CappedProblem } from './group-caps.ts'

const MAX_PRICES_PER_NODE = 16
/** At this many prices per node the choice is also filled, which yields feasible splits and better prices. */
const FILLED_PER_NODE = 2
/** Relative; below it a gap is the rounding of floats. */
const TOLERANCE = 1e-12

export type Best = CappedFilling & { readonly chosen: readonly RewardCurve[] }
export type Node = Branch & { readonly bound: number; readonly prices: Prices }

/** The best split so far. */
export function newSearch({ problem, groups }: CappedProblem) {
  const { amount, risk, least, most, free } = problem
  let best: Best | undefined
  let fills = 0
  const slack = (): number =>
    TOLERANCE * Math.max(Math.abs(best?.value ?? 0), Math.abs(best?.price ?? 0) * amount)
  return {
    best: (): Best | undefined => best,
    fills: (): number => fills,
    /** The distance of the incumbent from this bound. */
    room: (bound: number): number => (best ? bound - best.value + slack() : Number.POSITIVE_INFINITY),
    reaches: (bound: number): boolean =>
      bound === Number.NEGATIVE_INFINITY || (best !== undefined && bound - best.value <= slack()),
    tryChoice: (chosen: readonly RewardCurve[], guess: number): CappedFilling | undefined => {
      const slots = [...free, ...chosen.map((curve) => ({ curve, least, most: Math.min(most, curve.cap) }))]
      fills++
      const filled = fillCapped(slots, amount, { risk, groups, guess })
      if (filled && (!best || filled.value > best.value)) best = { ...filled, chosen }
      return filled
    },
  }
}

export type Search = ReturnType<typeof newSearch>

type Tightened = {
  readonly bound: number
  readonly prices: Prices
  readonly branch: Branch
  readonly splitOn: RewardCurve | undefined
}

/**
 * Searches prices with a low bound. Those at which the present choice is filled are the best next guess: when the same
 * choice comes out again, bound and split are equal and the node is solved.
 */
export function tighten(caps: CappedProblem, node: Node, search: Search): Tightened {
  const settled = (bound: number): Tightened => ({
    bound,
    prices: node.prices,
    branch: node,
    splitOn: undefined,
  })
  if (search.reaches(node.bound)) return settled(node.bound)
  if (node.open.length === 0 && caps.areApart) {
    return settled(search.tryChoice(node.forced, node.prices.price)?.value ?? Number.NEGATIVE_INFINITY)
  }
  let branch: Branch = node
  let lowest = { bound: node.bound, prices: node.prices, chosen: [] as readonly RewardCurve[] }
  let prices: Prices | undefined = node.prices
  let before: readonly RewardCurve[] | undefined
  for (let step = 0; prices && step < MAX_PRICES_PER_NODE; step++) {
    const point = cappedBoundAt(caps, branch, prices)
    if (point.bound < lowest.bound) lowest = { bound: point.bound, prices, chosen: point.chosen }
    if (search.reaches(lowest.bound)) return settled(lowest.bound)
    const isKnown = before !== undefined && isSameChoice(point.chosen, before)
    const filled: Filled =
      isKnown || step >= FILLED_PER_NODE
        ? undefined
        : fillBranch(caps, branch, point.chosen, prices.price, search)
    if (filled === 'impossible') return settled(Number.NEGATIVE_INFINITY)
    if (search.reaches(lowest.bound)) return settled(lowest.bound)
    branch = pruneHopeless(caps, branch, point, prices.price, search.room(point.bound))
    before = point.chosen
    const target = search.best()?.value ?? point.bound - 0.1 * Math.abs(point.bound)
    prices = filled ?? descend(caps, branch, prices, point, target)
  }
  const { bound, chosen } = lowest
  return { bound, prices: lowest.prices, branch, splitOn: undecided(branch, chosen, search.best()) }
}

type Filled = CappedFilling | 'impossible' | undefined

/** Fills the choice of a branch within the caps or, where that cannot hold the amount, its roomiest choice. */
function fillBranch(
  caps: CappedProblem,
  branch: Branch,
  chosen: readonly RewardCurve[],
  guess: number,
  search: Search,
): Filled {
  const filled = search.tryChoice([...branch.forced, ...chosen], guess)
  if (filled) return filled
  if (isTooNarrow(caps, branch)) return 'impossible'
  return search.tryChoice(chooseMostRoom(caps, branch).chosen, guess)
}

/** A curve to try both in and out: best one that the branch would choose and the best split has not, or vice versa. */
function undecided(
  branch: Branch,
  chosen: readonly RewardCurve[],
  best: Best | undefined,
): RewardCurve | undefined {
  const open = new Set(branch.open)
  const isOpen = (curve: RewardCurve): boolean => open.has(curve)
  const wished = chosen.filter(isOpen)
  return firstDifference(wished, best?.chosen.filter(isOpen) ?? []) ?? wished[0] ?? branch.open[0]
}
