import { isSameChoice } from '../branching.ts'
import { type Branch, slotsOf } from '../dual-bound.ts'
import type { RewardCurve } from '../reward-curve.ts'
import { cappedBoundAt, descend, type Prices, pruneHopeless } from './capped-bound.ts'
import { type CappedFilling, fillCapped } from './capped-fill.ts'
import { chooseMostRoom, isTooNarrow } from './capped-room.ts'
import type { CappedProblem } from './group-caps.ts'
import type { SearchWork } from './search-work.ts'
import type { UnitCheck } from './units/unit-check.ts'

const MAX_PRICES = 16
/** At the first prices, up to this many, the choice is also filled: that yields feasible splits and better prices. */
const MAX_FILLS = 2
/** Relative; below it a gap is the rounding of floats. */
const TOLERANCE = 1e-12

export type Best = CappedFilling & { readonly chosen: readonly RewardCurve[] }
export type Node = Branch & { readonly bound: number; readonly prices: Prices }

/** Keeps the incumbent; with a check, only splits count that are possible in whole units. */
export function newSearch({ problem, groups }: CappedProblem, check?: UnitCheck) {
  const { amount, risk } = problem
  let best: Best | undefined
  const slack = (tolerance: number): number =>
    tolerance * Math.max(Math.abs(best?.value ?? 0), Math.abs(best?.price ?? 0) * amount)
  const offer = (split: Best): void => {
    if (best && split.value <= best.value) return
    if (!check || check.unitsFor([...split.amounts.keys()], split.amounts)) best = split
  }
  return {
    best: (): Best | undefined => best,
    /** The distance of the incumbent from this bound. */
    room: (bound: number): number =>
      best ? bound - best.value + slack(TOLERANCE) : Number.POSITIVE_INFINITY,
    reaches: (bound: number, tolerance = TOLERANCE): boolean =>
      bound === Number.NEGATIVE_INFINITY || (best !== undefined && bound - best.value <= slack(tolerance)),
    offer,
    tryChoice: (chosen: readonly RewardCurve[]): CappedFilling | undefined => {
      const filled = fillCapped(slotsOf(problem, chosen), amount, { risk, groups })
      if (filled) offer({ ...filled, chosen })
      return filled
    },
  }
}

export type Search = ReturnType<typeof newSearch>

type Tools = { readonly search: Search; readonly work: SearchWork }
type Tightened = { readonly bound: number; readonly prices: Prices; readonly branch: Branch }

/**
 * Searches prices with a low bound. The next guess is the prices at which the current choice is filled: if they lead
 * to the same choice again, bound and split are equal and the node is solved.
 */
export function tighten(caps: CappedProblem, node: Node, { search, work }: Tools): Tightened {
  const settled = (bound: number): Tightened => ({ bound, prices: node.prices, branch: node })
  if (search.reaches(node.bound)) return settled(node.bound)
  let branch: Branch = node
  let lowest = { bound: node.bound, prices: node.prices }
  let prices: Prices | undefined = node.prices
  let before: readonly RewardCurve[] | undefined
  for (let step = 0; prices && step < MAX_PRICES; step++) {
    const point = cappedBoundAt(caps, branch, prices)
    work.units -= branch.open.length
    if (point.bound < lowest.bound) lowest = { bound: point.bound, prices }
    if (search.reaches(lowest.bound)) return settled(lowest.bound)
    const isKnown = before !== undefined && isSameChoice(point.chosen, before)
    const filled: Filled =
      isKnown || step >= MAX_FILLS ? undefined : fillBranch(caps, branch, point.chosen, search)
    if (filled === 'impossible') return settled(Number.NEGATIVE_INFINITY)
    if (search.reaches(lowest.bound)) return settled(lowest.bound)
    branch = pruneHopeless(caps, branch, point, prices.price, search.room(point.bound))
    before = point.chosen
    const target = search.best()?.value ?? point.bound - 0.1 * Math.abs(point.bound)
    prices = filled ?? descend(caps, branch, prices, point, target)
  }
  return { ...lowest, branch }
}

type Filled = CappedFilling | 'impossible' | undefined

/** Fills the choice of a branch within the caps; if it cannot hold the amount, the choice with the most room. */
function fillBranch(
  caps: CappedProblem,
  branch: Branch,
  chosen: readonly RewardCurve[],
  search: Search,
): Filled {
  const filled = search.tryChoice([...branch.forced, ...chosen])
  if (filled) return filled
  if (isTooNarrow(caps, branch)) return 'impossible'
  return search.tryChoice(chooseMostRoom(caps, branch).chosen)
}
