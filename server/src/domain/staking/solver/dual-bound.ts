import { largestFew } from './largest-few.ts'
import { demandAt, gainOf, type RewardCurve } from './reward-curve.ts'
import type { Slot } from './water-fill.ts'

/**
 * The problem: share `amount` among at most `maxChosen` of the `choices` and any of the `free` slots so that the sum
 * of the gains is largest. A choice gets nothing, or between `least` and the lower of `most` and its own cap (at
 * least `least`).
 */
export type SplitProblem = {
  readonly amount: number
  readonly risk: number
  /**
   * In the order `byEntry` no sorting is needed: a loop can stop at the first curve whose entry is below the price.
   */
  readonly choices: readonly RewardCurve[]
  readonly least: number
  readonly most: number
  readonly maxChosen: number
  readonly free: readonly Slot[]
}

/** The slots of a choice: the free ones, then those of the chosen curves. */
export const slotsOf = (
  { least, most, free }: SplitProblem,
  chosen: readonly RewardCurve[],
): readonly Slot[] => [...free, ...chosen.map((curve) => ({ curve, least, most: Math.min(most, curve.cap) }))]

/** An extra price per unit for some curves (the tolls of their groups). */
export type Charges = ReadonlyMap<RewardCurve, number>

/** A branch: `forced` curves are chosen, `open` ones (sorted by entry) may be chosen, all others are excluded. */
export type Branch = { readonly forced: readonly RewardCurve[]; readonly open: readonly RewardCurve[] }

export type DualPoint = {
  /** An upper bound on the gain of every split in this branch. */
  readonly bound: number
  /** Total demand at this price minus the amount. */
  readonly excess: number
  readonly chosen: readonly RewardCurve[]
  /** The surplus of the last chosen curve: another curve is chosen only if its surplus is higher. */
  readonly lastSurplus: number
}

/**
 * The upper bound that a price proves (Lagrange duality). If units cost `price` and their number were unlimited, no
 * choice could gain more than its surplus; so no split gains more than price · amount + the largest surpluses. This
 * holds for every price; the right one makes the bound tight. The bound always includes as many choices as the amount
 * needs, even at a loss: otherwise an amount that just fits would leave a gap that only branching closes.
 */
export function boundAt(
  problem: SplitProblem,
  { forced, open }: Branch,
  price: number,
  charges?: Charges,
): DualPoint {
  const { amount, risk, least, most, free } = problem
  let bound = price * amount
  let excess = -amount
  const take = (curve: RewardCurve, from: number, to: number): void => {
    const due = dueFor(curve, price, charges)
    const x = demandAt(curve, risk, due, from, to)
    bound += gainOf(curve, risk, x) - due * x
    excess += x
  }
  for (const slot of free) take(slot.curve, slot.least, slot.most)
  for (const curve of forced) take(curve, least, Math.min(most, curve.cap))

  const best = largestFew<Demand>(problem.maxChosen - forced.length, 0)
  for (const curve of open) {
    // Curves are sorted by entry: no further one gains at this price.
    if (curve.entry <= price) break
    const due = dueFor(curve, price, charges)
    if (curve.entry <= due) continue
    const taken = demandAt(curve, risk, due, least, Math.min(most, curve.cap))
    best.offer(gainOf(curve, risk, taken) - due * taken, { curve, taken })
  }
  const missing = fewestChoices(problem) - forced.length - best.kept.length
  const forcedIn = missing > 0 ? forceIn(problem, open, { kept: best.kept, missing, price, charges }) : []
  if (forcedIn.length < missing) bound = Number.NEGATIVE_INFINITY
  const chosen: RewardCurve[] = []
  for (const { value, item } of forcedIn.length > 0 ? [...best.kept, ...forcedIn] : best.kept) {
    bound += value
    excess += item.taken
    chosen.push(item.curve)
  }
  return { bound, excess, chosen, lastSurplus: forcedIn.at(-1)?.value ?? best.threshold() }
}

export const dueFor = (curve: RewardCurve, price: number, charges: Charges | undefined): number =>
  charges === undefined ? price : price + (charges.get(curve) ?? 0)

/** An upper bound on the surplus of a choice at this price. */
export function surplusAt({ risk, least, most }: SplitProblem, curve: RewardCurve, price: number): number {
  // A curve whose entry is below the price loses with every unit, so it takes the least.
  if (curve.entry <= price) return (curve.entry - price) * least
  const taken = demandAt(curve, risk, price, least, Math.min(most, curve.cap))
  return gainOf(curve, risk, taken) - price * taken
}

type Demand = { readonly curve: RewardCurve; readonly taken: number }
type Valued = { readonly value: number; readonly item: Demand }

/** The fewest choices that can hold what the free slots cannot, with a tolerance for float rounding. */
function fewestChoices({ amount, most, free }: SplitProblem): number {
  const room = free.reduce((sum, slot) => sum + slot.most, 0)
  return Math.ceil((amount * (1 - 1e-12) - room) / most)
}

/** The curves with the smallest loss at this price, for an amount that needs more curves than gain. */
function forceIn(
  { risk, least, most }: SplitProblem,
  open: readonly RewardCurve[],
  { kept, missing, price, charges }: Shortfall,
): readonly Valued[] {
  const chosen = new Set(kept.map(({ item }) => item.curve))
  const forcedIn = largestFew<Demand>(missing, Number.NEGATIVE_INFINITY)
  for (const curve of open) {
    if (chosen.has(curve)) continue
    const due = dueFor(curve, price, charges)
    const taken = curve.entry <= due ? least : demandAt(curve, risk, due, least, Math.min(most, curve.cap))
    forcedIn.offer(gainOf(curve, risk, taken) - due * taken, { curve, taken })
  }
  return forcedIn.kept
}

type Shortfall = {
  readonly kept: readonly Valued[]
  readonly missing: number
  readonly price: number
  readonly charges: Charges | undefined
}
