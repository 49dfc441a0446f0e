import type { SplitProblem } from '../dual-bound.ts'
import type { RewardCurve } from '../reward-curve.ts'

/** A cap on the total of a group of curves. A curve may be in several groups. */
export type GroupCap = { readonly members: ReadonlySet<RewardCurve>; readonly most: number }

/** A problem whose splits have to keep groups within their caps. */
export type CappedProblem = {
  readonly problem: SplitProblem
  readonly groups: readonly GroupCap[]
  readonly groupsOf: (curve: RewardCurve) => readonly GroupCap[]
}

export function cappedProblem(problem: SplitProblem, groups: readonly GroupCap[]): CappedProblem {
  let own: ReadonlyMap<RewardCurve, readonly GroupCap[]> | undefined
  // Lazy: most searches end before they need the index.
  const groupsOf = (curve: RewardCurve): readonly GroupCap[] => {
    own ??= groupsByCurve(groups)
    return own.get(curve) ?? NONE
  }
  return { problem, groups, groupsOf }
}

function groupsByCurve(groups: readonly GroupCap[]): ReadonlyMap<RewardCurve, readonly GroupCap[]> {
  const own = new Map<RewardCurve, GroupCap[]>()
  for (const group of groups) {
    for (const curve of group.members) {
      const before = own.get(curve)
      if (before) before.push(group)
      else own.set(curve, [group])
    }
  }
  return own
}

const NONE: readonly GroupCap[] = []

type Part = { readonly curve: RewardCurve; readonly amount: number }

export function usedBy({ members }: GroupCap, parts: readonly Part[]): number {
  let used = 0
  for (const { curve, amount } of parts) if (members.has(curve)) used += amount
  return used
}

/** Relative tolerance of caps for float rounding. */
const CLOSE = 1e-12

export const isWithin = (parts: readonly Part[], groups: readonly GroupCap[]): boolean =>
  mostExceeded(parts, groups) === undefined

/** The group that is furthest beyond its cap. */
export function mostExceeded(parts: readonly Part[], groups: readonly GroupCap[]): GroupCap | undefined {
  let found: GroupCap | undefined
  let most = 0
  for (const group of groups) {
    const excess = usedBy(group, parts) - group.most
    if (excess <= most || excess <= CLOSE * group.most) continue
    most = excess
    found = group
  }
  return found
}
