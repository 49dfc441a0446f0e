import type { Branch } from '../dual-bound.ts'
import type { RewardCurve } from '../reward-curve.ts'
import type { CappedProblem, GroupCap } from './group-caps.ts'

/**
 * Greedy: chooses the curves of a branch that add the most room, until the amount fits. Room is submodular in the
 * members of a group, so without overlaps no other choice of the same size holds more.
 */
export function chooseMostRoom(
  { problem, groups, groupsOf }: CappedProblem,
  branch: Branch,
): { readonly chosen: readonly RewardCurve[]; readonly missing: number } {
  const { amount, least, most, maxChosen, free } = problem
  const left = new Map(groups.map((group) => [group, { room: group.most, spare: group.most }]))
  let missing = amount * (1 - 1e-12)
  const roomFor = (curve: RewardCurve, own: number): number =>
    groupsOf(curve).reduce((room, group) => Math.min(room, left.get(group)?.room ?? 0), own)
  const add = (curve: RewardCurve, own: number, atLeast: number): void => {
    const room = roomFor(curve, own)
    missing -= room
    for (const group of groupsOf(curve)) {
      const before = left.get(group)
      if (before) left.set(group, { room: before.room - room, spare: before.spare - atLeast })
    }
  }
  const fits = (curve: RewardCurve): boolean =>
    groupsOf(curve).every((group) => (left.get(group)?.spare ?? 0) >= least)
  const ownRoom = (curve: RewardCurve): number => Math.min(most, curve.cap)
  for (const slot of free) add(slot.curve, slot.most, slot.least)
  for (const curve of branch.forced) add(curve, ownRoom(curve), least)
  const chosen = [...branch.forced]
  if ([...left.values()].some(({ spare }) => spare < -1e-12 * amount)) return { chosen, missing: Infinity }
  const taken = new Set<RewardCurve>()
  while (missing > 0 && chosen.length < maxChosen) {
    let best: { readonly curve: RewardCurve; readonly room: number } | undefined
    for (const curve of branch.open) {
      if (taken.has(curve)) continue
      const room = fits(curve) ? roomFor(curve, ownRoom(curve)) : 0
      if (room > (best?.room ?? 0)) best = { curve, room }
      // No curve can add more than `most`.
      if (room === most) break
    }
    if (!best) break
    add(best.curve, ownRoom(best.curve), least)
    taken.add(best.curve)
    chosen.push(best.curve)
  }
  return { chosen, missing }
}

/**
 * Proves that no choice of the branch can hold the amount. Counting each curve in only one of its groups
 * overestimates the room, so the proof is safe.
 */
export function isTooNarrow(caps: CappedProblem, branch: Branch): boolean {
  const groupsOf = (curve: RewardCurve): readonly GroupCap[] => caps.groupsOf(curve).slice(0, 1)
  return chooseMostRoom({ ...caps, groupsOf }, branch).missing > 0
}
