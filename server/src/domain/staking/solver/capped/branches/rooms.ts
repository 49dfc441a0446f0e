import type { Branch } from '../../dual-bound.ts'
import type { Slot } from '../../water-fill.ts'
import type { CappedProblem } from '../group-caps.ts'

/** A curve of a branch with its bounds; `most` is also limited by the caps of its groups. */
export type Room = Slot & { readonly isOpen: boolean }

/**
 * The rooms of a branch, without open curves that do not fit into their groups; undefined if a forced or free one
 * does not fit.
 */
export function roomsOf({ problem, groupsOf }: CappedProblem, branch: Branch): readonly Room[] | undefined {
  const { free, least, most } = problem
  const rooms: Room[] = []
  const add = (slot: Slot, isOpen: boolean): boolean => {
    let room = slot.most
    for (const group of groupsOf(slot.curve)) room = Math.min(room, group.most)
    // A cap that is below `least` only by rounding still leaves room for `least`.
    const fits = room >= slot.least * (1 - CLOSE)
    if (fits) rooms.push({ curve: slot.curve, least: slot.least, most: Math.max(room, slot.least), isOpen })
    return fits || isOpen
  }
  const fits =
    free.every((slot) => add(slot, false)) &&
    branch.forced.every((curve) => add({ curve, least, most: Math.min(most, curve.cap) }, false))
  if (!fits) return undefined
  for (const curve of branch.open) add({ curve, least, most: Math.min(most, curve.cap) }, true)
  return rooms
}

const CLOSE = 1e-12

/** The largest absolute gain or loss per unit: the scale for rates. */
export const highestRate = (rooms: readonly Slot[], risk: number): number =>
  rooms.reduce(
    (highest, { curve, most }) => Math.max(highest, Math.abs(curve.entry), risk * curve.variance * most),
    1e-300,
  )
