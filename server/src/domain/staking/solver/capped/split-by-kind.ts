import type { RewardCurve } from '../reward-curve.ts'
import type { Slot } from '../water-fill.ts'
import { fillOverlapping, kindsOf, placeAmount } from './fill-overlapping.ts'
import type { CappedProblem } from './group-caps.ts'
import type { Best } from './tighten-node.ts'

/** The most combinations tried. Each is a small linear program. */
const MAX_TRIED = 400

/**
 * A feasible split under caps of overlapping groups. It is the fallback for when filling the groups one by one finds
 * none. Curves in the same groups are one kind. Within a kind the curves with the most room are always a best choice,
 * so the search only decides how many curves of each kind to use. Undefined when no split exists, or when none was
 * found within `MAX_TRIED` combinations.
 */
export function splitByKind({ problem, groups, groupsOf }: CappedProblem, guess: number): Best | undefined {
  const { amount, least, most, maxChosen, free, choices, risk } = problem
  const slotOf = (curve: RewardCurve): Slot => ({ curve, least, most: Math.min(most, curve.cap) })
  const byRoom = choices.map(slotOf).toSorted((a, b) => b.most - a.most)
  const kinds = kindsOf(byRoom, groupsOf, groups)
  const overlapOf = (chosen: readonly Slot[]) => ({
    kinds: kindsOf([...free, ...chosen], groupsOf, groups),
    groups,
    amount,
  })
  let tried = 0
  const visit = (at: number, chosen: readonly Slot[]): readonly Slot[] | undefined => {
    const kind = kinds[at]
    if (!kind) {
      tried++
      return placeAmount(overlapOf(chosen)) && chosen
    }
    const most = Math.min(maxChosen - chosen.length, kind.slots.length)
    for (let count = most; count >= 0 && tried < MAX_TRIED; count--) {
      const found = visit(at + 1, [...chosen, ...kind.slots.slice(0, count)])
      if (found) return found
    }
    return undefined
  }
  const chosen = visit(0, [])
  const filled = chosen && fillOverlapping(overlapOf(chosen), risk, guess)
  return filled && { ...filled, tolls: new Map(), chosen: chosen.map(({ curve }) => curve) }
}
