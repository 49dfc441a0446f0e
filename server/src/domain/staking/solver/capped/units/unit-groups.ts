import type { RewardCurve } from '../../reward-curve.ts'
import type { WholeSlot } from '../../unit-worth.ts'

/** A cap in whole units on a group of curves. */
export type UnitGroup = { readonly members: ReadonlySet<RewardCurve>; readonly units: bigint }

/** The remaining units of each group; negative if it is beyond its cap. */
export const roomIn = (
  slots: readonly WholeSlot[],
  units: readonly bigint[],
  groups: readonly UnitGroup[],
): readonly bigint[] =>
  groups.map(({ members, units: most }) =>
    slots.reduce((room, { curve }, index) => (members.has(curve) ? room - (units[index] ?? 0n) : room), most),
  )
