import { likelyPrice } from '../likely-price.ts'
import { gainOf, type RewardCurve } from '../reward-curve.ts'
import { fillSlots, type Slot } from '../water-fill.ts'
import { type GroupCap, mostExceeded, usedBy } from './group-caps.ts'

export type CappedFilling = {
  readonly amounts: ReadonlyMap<RewardCurve, number>
  readonly value: number
  /** For each full group, the extra worth of a unit inside it. */
  readonly tolls: ReadonlyMap<GroupCap, number>
  /** The marginal worth outside the full groups. */
  readonly price: number
}

type FillTerms = { readonly risk: number; readonly groups: readonly GroupCap[] }

/**
 * Fills all slots at one price. If a group overflows, its members are filled up to its cap on their own, and the
 * remaining slots share the rest. Exact if full groups do not overlap: the price of the rest only falls, so a full
 * group stays full. Undefined if the slots cannot hold the amount in this way; without overlaps, in any way.
 */
export function fillCapped(
  slots: readonly Slot[],
  amount: number,
  terms: FillTerms,
): CappedFilling | undefined {
  const filled = fillWithin(slots, amount, terms)
  if (!filled) return undefined
  const amounts = new Map<RewardCurve, number>()
  let value = 0
  for (const { curve, amount } of filled.parts) {
    amounts.set(curve, amount)
    value += gainOf(curve, terms.risk, amount)
  }
  const tolls = new Map(filled.tolls.map(({ group, toll }) => [group, toll]))
  return { amounts, tolls, value, price: filled.price }
}

type Filled = {
  readonly parts: readonly { readonly curve: RewardCurve; readonly amount: number }[]
  readonly tolls: readonly { readonly group: GroupCap; readonly toll: number }[]
  readonly price: number
}

function fillWithin(slots: readonly Slot[], amount: number, { risk, groups }: FillTerms): Filled | undefined {
  const guess = likelyPrice(
    slots.map(({ curve }) => curve),
    amount,
    risk,
  )
  const filling = fillSlots(slots, amount, risk, guess)
  if (!filling) return undefined
  const parts = slots.map(({ curve }, index) => ({ curve, amount: filling.amounts[index] ?? 0 }))
  const full = mostExceeded(parts, groups)
  if (!full) return { parts, tolls: [], price: filling.price }
  const terms = { risk, groups: groups.filter((group) => group !== full) }
  const members = slots.filter(({ curve }) => full.members.has(curve))
  const inside = fillWithin(members, full.most, terms)
  return inside && fillOutside(slots, amount, terms, full, inside)
}

/** Fills the slots outside the full group; members of `full` use up room of the other groups they are in. */
function fillOutside(
  slots: readonly Slot[],
  amount: number,
  { risk, groups }: FillTerms,
  full: GroupCap,
  inside: Filled,
): Filled | undefined {
  const left = groups.map((group) => {
    const used = usedBy(group, inside.parts)
    return used === 0 ? group : { members: group.members, most: Math.max(0, group.most - used) }
  })
  const others = slots.filter(({ curve }) => !full.members.has(curve))
  const outside = fillWithin(others, amount - full.most, { risk, groups: left })
  if (!outside) return undefined
  // Without slots outside there is no outside price, and the toll is 0.
  const price = others.length > 0 ? outside.price : inside.price
  const tolls = [
    ...inside.tolls,
    ...outside.tolls.map(({ group, toll }) => ({ group: groups[left.indexOf(group)] ?? group, toll })),
    { group: full, toll: Math.max(0, inside.price - price) },
  ]
  return { parts: [...inside.parts, ...outside.parts], tolls, price }
}
