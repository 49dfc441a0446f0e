import { gainOf, type RewardCurve } from '../reward-curve.ts'
import { fillSlots, type Slot } from '../water-fill.ts'
import { type GroupCap, mostExceeded, usedBy } from './group-caps.ts'

export type CappedFilling = {
  readonly amounts: ReadonlyMap<RewardCurve, number>
  readonly value: number
  /** Per full group, the extra worth of a unit inside it. */
  readonly tolls: ReadonlyMap<GroupCap, number>
  /** The marginal worth outside the full groups. */
  readonly price: number
}

type FillTerms = { readonly risk: number; readonly groups: readonly GroupCap[]; readonly guess: number }

/**
 * Fills all slots at one price; where a group overflows, its members are filled up to its cap on their own, and the
 * rest goes to the others. Exact where full groups do not overlap: the price of the rest only falls, so that a full
 * group stays full. Undefined when the slots cannot hold the amount that way; where groups do not overlap, that means
 * not at all.
 */
export function fillCapped(
  slots: readonly Slot[],
  amount: number,
  terms: FillTerms,
): CappedFilling | undefined {
  const filled = fillWithin(slots, amount, terms)
  if (!filled) return undefined
  let value = 0
  for (const [curve, part] of filled.amounts) value += gainOf(curve, terms.risk, part)
  return { ...filled, value }
}

type Filled = Omit<CappedFilling, 'value'>

function fillWithin(slots: readonly Slot[], amount: number, terms: FillTerms): Filled | undefined {
  const { risk, groups, guess } = terms
  const filling = fillSlots(slots, amount, risk, guess)
  if (!filling) return undefined
  const parts = slots.map(({ curve }, index) => ({ curve, amount: filling.amounts[index] ?? 0 }))
  const full = mostExceeded(parts, groups)
  if (!full) {
    const amounts = new Map(parts.map((part) => [part.curve, part.amount]))
    return { amounts, tolls: new Map(), price: filling.price }
  }
  const others = groups.filter((group) => group !== full)
  const inside = fillWithin(
    slots.filter(({ curve }) => full.members.has(curve)),
    full.most,
    { ...terms, groups: others },
  )
  return inside && fillOutside(slots, amount, { ...terms, groups: others }, full, inside)
}

/** Fills the slots outside the full group; members of `full` use up room of the other groups they are in. */
function fillOutside(
  slots: readonly Slot[],
  amount: number,
  terms: FillTerms,
  full: GroupCap,
  inside: Filled,
): Filled | undefined {
  const parts = [...inside.amounts].map(([curve, part]) => ({ curve, amount: part }))
  const left = new Map(
    terms.groups.map((group) => {
      const used = usedBy(group, parts)
      const rest = used === 0 ? group : { members: group.members, most: Math.max(0, group.most - used) }
      return [rest, group] as const
    }),
  )
  const others = slots.filter(({ curve }) => !full.members.has(curve))
  const outside = fillWithin(others, amount - full.most, { ...terms, groups: [...left.keys()] })
  if (!outside) return undefined
  const tolls = new Map<GroupCap, number>(inside.tolls)
  for (const [group, toll] of outside.tolls) tolls.set(left.get(group) ?? group, toll)
  // Where nothing is outside there is no price there, and nothing that a toll would keep apart.
  const price = others.length > 0 ? outside.price : inside.price
  tolls.set(full, Math.max(0, inside.price - price))
  return { amounts: new Map([...inside.amounts, ...outside.amounts]), tolls, price }
}
