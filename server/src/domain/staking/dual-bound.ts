import { largestFew } from './largest-few.ts'
import { demandAt, gainOf, type RewardCurve } from './reward-curve.ts'
import type { Slot } from './water-fill.ts'

/**
 * The problem: share `amount` among at most `maxChosen` of the `choices` (each gets nothing, or between `least`
 * and `most`) and any of the `free` slots, so that the gains add up to the most.
 */
export type SplitProblem = {
  readonly amount: number
  readonly risk: number
  readonly choices: readonly RewardCurve[]
  readonly least: number
  readonly most: number
  readonly maxChosen: number
  readonly free: readonly Slot[]
}

/** A part of the problem: these are in for certain, these may still be chosen, all others are out. */
export type Branch = { readonly forced: readonly RewardCurve[]; readonly open: readonly RewardCurve[] }

export type DualPoint = {
  /** No split of this branch gains more. */
  readonly bound: number
  /** What everybody would take at this price, less the amount there is. */
  readonly excess: number
  readonly chosen: readonly RewardCurve[]
  /** For each open curve at least what it would gain at this price. */
  readonly surplus: Float64Array
  /** What the last chosen curve gains: a curve has to beat it to be chosen. */
  readonly lastSurplus: number
}

/**
 * The bound that a price proves. If units cost `price` and there were no limit on their number, no choice could
 * gain more than its surplus; so price · amount + the largest surpluses is more than any split can reach. This
 * holds for every price; the right one makes the bound tight.
 */
export function boundAt(problem: SplitProblem, { forced, open }: Branch, price: number): DualPoint {
  const { amount, risk, least, most, free } = problem
  let bound = price * amount
  let excess = -amount
  const take = (curve: RewardCurve, from: number, to: number): void => {
    const x = demandAt(curve, risk, price, from, to)
    bound += gainOf(curve, risk, x) - price * x
    excess += x
  }
  for (const slot of free) take(slot.curve, slot.least, slot.most)
  for (const curve of forced) take(curve, least, most)

  const surplus = new Float64Array(open.length)
  const best = largestFew<Taker>(problem.maxChosen - forced.length, 0)
  let index = 0
  for (const curve of open) {
    // A curve that starts below the price gains nothing, and loses the more the more it is made to take.
    if (curve.entry <= price) {
      surplus[index++] = (curve.entry - price) * least
      continue
    }
    const taken = demandAt(curve, risk, price, least, most)
    const gained = gainOf(curve, risk, taken) - price * taken
    surplus[index++] = gained
    best.offer(gained, { curve, taken })
  }
  for (const { value, item } of best.kept) {
    bound += value
    excess += item.taken
  }
  const chosen = best.kept.map(({ item }) => item.curve)
  return { bound, excess, chosen, surplus, lastSurplus: best.threshold() }
}

type Taker = { readonly curve: RewardCurve; readonly taken: number }
