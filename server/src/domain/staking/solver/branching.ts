import { byEntry, type RewardCurve } from './reward-curve.ts'

/** Removes and returns the branch with the highest bound. */
export function takeHighest<Node extends { readonly bound: number }>(waiting: Node[]): Node | undefined {
  let highest = 0
  for (const [index, { bound }] of waiting.entries()) {
    if (bound > (waiting[highest]?.bound ?? bound)) highest = index
  }
  return waiting.splice(highest, 1)[0]
}

export const isSameChoice = (a: readonly RewardCurve[], b: readonly RewardCurve[]): boolean =>
  a.length === b.length && a.every((curve) => b.includes(curve))

/** The first curve that is in only one of two choices; both are sorted by gain, highest first. */
export const firstDifference = (
  a: readonly RewardCurve[],
  b: readonly RewardCurve[],
): RewardCurve | undefined => a.find((curve) => !b.includes(curve)) ?? b.find((curve) => !a.includes(curve))

export function sortedByEntry(curves: readonly RewardCurve[]): readonly RewardCurve[] {
  let before = Number.POSITIVE_INFINITY
  for (const { entry } of curves) {
    if (entry > before) return curves.toSorted(byEntry)
    before = entry
  }
  return curves
}
