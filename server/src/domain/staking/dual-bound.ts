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
 * holds for every price; the right one makes the bound tight. As many choices as it takes to hold the amount are in
 * any split, also at a loss: without that, an amount that just fits would leave a gap that only branching closes.
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
  const missing = fewestChoices(problem) - forced.length - best.kept.length
  const pressed = missing > 0 ? pressIn(problem, open, best.kept, price, missing) : []
  if (pressed.length < missing) bound = Number.NEGATIVE_INFINITY
  for (const { value, item } of [...best.kept, ...pressed]) {
    bound += value
    excess += item.taken
  }
  const chosen = [...best.kept, ...pressed].map(({ item }) => item.curve)
  return { bound, excess, chosen, surplus, lastSurplus: pressed.at(-1)?.value ?? best.threshold() }
}

type Taker = { readonly curve: RewardCurve; readonly taken: number }
type Valued = { readonly value: number; readonly item: Taker }

/** How many choices it takes to hold what the free slots cannot. A little less than all is all, as floats go. */
function fewestChoices({ amount, most, free }: SplitProblem): number {
  const room = free.reduce((sum, slot) => sum + slot.most, 0)
  return Math.ceil((amount * (1 - 1e-12) - room) / most)
}

/** Of the curves that nobody would choose at this price, those that lose least. */
function pressIn(
  { risk, least, most }: SplitProblem,
  open: readonly RewardCurve[],
  kept: readonly Valued[],
  price: number,
  count: number,
): readonly Valued[] {
  const chosen = new Set(kept.map(({ item }) => item.curve))
  const pressed = largestFew<Taker>(count, Number.NEGATIVE_INFINITY)
  for (const curve of open) {
    if (chosen.has(curve)) continue
    const taken = curve.entry <= price ? least : demandAt(curve, risk, price, least, most)
    pressed.offer(gainOf(curve, risk, taken) - price * taken, { curve, taken })
  }
  return pressed.kept
}
