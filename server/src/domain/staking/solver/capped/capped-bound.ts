import {
  type Branch,
  boundAt,
  type Charges,
  type DualPoint,
  dueFor,
  slotsOf,
  surplusAt,
} from '../dual-bound.ts'
import { demandAt, type RewardCurve } from '../reward-curve.ts'
import { type CappedProblem, type GroupCap, usedBy } from './group-caps.ts'

/** The dual prices: of a unit of the amount, and the toll per unit in each group. */
export type Prices = { readonly price: number; readonly tolls: ReadonlyMap<GroupCap, number> }

type CappedPoint = DualPoint & { readonly charges: Charges }

/**
 * The upper bound that a price and tolls prove. A split within the caps pays at most the tolls of full groups, so no
 * split gains more than the best gain after tolls plus that income. This holds for all tolls of 0 or more.
 */
export function cappedBoundAt(
  { problem, groups }: CappedProblem,
  branch: Branch,
  { price, tolls }: Prices,
): CappedPoint {
  const { charges, income } = chargesAt(groups, tolls)
  const point = boundAt(problem, branch, price, charges)
  return { ...point, bound: point.bound + income, charges }
}

/** The toll that a unit of each curve pays for its groups, and the total toll of the full groups. */
export function chargesAt(groups: readonly GroupCap[], tolls: Prices['tolls']) {
  const charges = new Map<RewardCurve, number>()
  let income = 0
  for (const group of groups) {
    const toll = tolls.get(group) ?? 0
    if (toll <= 0) continue
    income += toll * group.most
    for (const curve of group.members) charges.set(curve, (charges.get(curve) ?? 0) + toll)
  }
  return { charges, income }
}

/** Prunes curves that could not lift the branch above the incumbent even if they were forced in. */
export function pruneHopeless(
  { problem }: CappedProblem,
  branch: Branch,
  { lastSurplus, charges }: CappedPoint,
  price: number,
  room: number,
): Branch {
  const needed = lastSurplus - room
  const isHopeful = (curve: RewardCurve): boolean =>
    surplusAt(problem, curve, dueFor(curve, price, charges)) >= needed
  const open = branch.open.filter(isHopeful)
  return open.length === branch.open.length ? branch : { forced: branch.forced, open }
}

/**
 * A Polyak subgradient step: the next prices, at which the bound would meet `target` if its slope stayed the same.
 * Undefined at the minimum.
 */
export function descend(
  { problem, groups }: CappedProblem,
  { forced }: Branch,
  { price, tolls }: Prices,
  { bound, excess, chosen, charges }: CappedPoint,
  target: number,
): Prices | undefined {
  const { risk } = problem
  const parts = slotsOf(problem, [...forced, ...chosen]).map(({ curve, least, most }) => ({
    curve,
    amount: demandAt(curve, risk, dueFor(curve, price, charges), least, most),
  }))
  let square = excess * excess
  const slopes = groups.map((group) => {
    const slope = group.most - usedBy(group, parts)
    const isIdle = slope > 0 && (tolls.get(group) ?? 0) <= 0
    if (!isIdle) square += slope * slope
    return { group, slope }
  })
  if (square === 0) return undefined
  const step = (bound - target) / square
  return {
    price: price + step * excess,
    tolls: new Map(
      slopes.map(({ group, slope }) => [group, Math.max(0, (tolls.get(group) ?? 0) - step * slope)]),
    ),
  }
}
