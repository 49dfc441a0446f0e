import type { RewardCurve } from './reward-curve.ts'
import { fillSlots, type Slot } from './water-fill.ts'

/** Some curves that together may get this much. A curve may be in several groups. */
export type GroupCap = { readonly members: ReadonlySet<RewardCurve>; readonly most: number }

export type CappedFilling = {
  readonly amounts: ReadonlyMap<RewardCurve, number>
  /** Of each full group: what a unit is worth more inside than outside. */
  readonly tolls: ReadonlyMap<GroupCap, number>
  /** What the last unit outside of full groups is worth. */
  readonly price: number
}

/** A group is beyond its cap when it is by more than the rounding of floats. */
const CLOSE = 1e-9

type Part = { readonly curve: RewardCurve; readonly amount: number }

export const isWithin = (parts: readonly Part[], groups: readonly GroupCap[]): boolean =>
  fullest(parts, groups) === undefined

/** The group that is furthest beyond its cap. */
function fullest(parts: readonly Part[], groups: readonly GroupCap[]): GroupCap | undefined {
  let found: GroupCap | undefined
  let most = CLOSE
  for (const group of groups) {
    let used = 0
    for (const { curve, amount } of parts) if (group.members.has(curve)) used += amount
    const excess = used / group.most - 1
    if (excess <= most) continue
    most = excess
    found = group
  }
  return found
}

type FillTerms = { readonly risk: number; readonly groups: readonly GroupCap[]; readonly guess: number }

/**
 * Fills all slots at one price; where a group overflows, its members are filled up to its cap on their own, and the
 * rest goes to the others. Exact where full groups do not overlap: the price of the rest only falls, so that a full
 * group stays full. Undefined when the slots cannot hold the amount that way.
 */
export function fillCapped(
  slots: readonly Slot[],
  amount: number,
  { risk, groups, guess }: FillTerms,
): CappedFilling | undefined {
  const filling = fillSlots(slots, amount, risk, guess)
  if (!filling) return undefined
  const parts = slots.map(({ curve }, index) => ({ curve, amount: filling.amounts[index] ?? 0 }))
  const full = fullest(parts, groups)
  if (!full) {
    const amounts = new Map(parts.map((part) => [part.curve, part.amount]))
    return { amounts, tolls: new Map(), price: filling.price }
  }
  const others = groups.filter((group) => group !== full)
  const inside = fillCapped(
    slots.filter(({ curve }) => full.members.has(curve)),
    full.most,
    { risk, groups: others, guess },
  )
  if (!inside) return undefined
  return fillOutside(slots, amount, { risk, groups: others, guess }, full, inside)
}

/** The rest of a filling whose group `full` is filled: what other groups may get is less by what they have in it. */
function fillOutside(
  slots: readonly Slot[],
  amount: number,
  { risk, groups, guess }: FillTerms,
  full: GroupCap,
  inside: CappedFilling,
): CappedFilling | undefined {
  const left = new Map(
    groups.map((group) => {
      let used = 0
      for (const [curve, part] of inside.amounts) if (group.members.has(curve)) used += part
      return [used === 0 ? group : { members: group.members, most: group.most - used }, group] as const
    }),
  )
  const outside = fillCapped(
    slots.filter(({ curve }) => !full.members.has(curve)),
    amount - full.most,
    { risk, groups: [...left.keys()], guess },
  )
  if (!outside) return undefined
  const tolls = new Map<GroupCap, number>(inside.tolls)
  for (const [group, toll] of outside.tolls) tolls.set(left.get(group) ?? group, toll)
  tolls.set(full, inside.price - outside.price)
  return { amounts: new Map([...inside.amounts, ...outside.amounts]), tolls, price: outside.price }
}
