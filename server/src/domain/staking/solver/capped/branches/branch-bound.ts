import { largestFew } from '../../largest-few.ts'
import { demandAt, gainOf, type RewardCurve } from '../../reward-curve.ts'
import type { Prices } from '../capped-bound.ts'
import type { CappedProblem } from '../group-caps.ts'
import type { Room } from './rooms.ts'

type BranchPoint = {
  readonly bound: number
  /** The open curves with which a split can reach `value`. */
  readonly hopefulFor: (value: number) => readonly RewardCurve[]
}

/**
 * The upper bound that prices prove for all splits of a branch. Unlike `cappedBoundAt`, it limits each curve to the
 * room in its groups. `maxOpen` is the number of open curves that may be chosen.
 */
export function branchBoundAt(
  { problem, groups, groupsOf }: CappedProblem,
  rooms: readonly Room[],
  maxOpen: number,
  { price, tolls }: Prices,
): BranchPoint {
  const { amount, risk } = problem
  let bound = price * amount
  for (const group of groups) bound += (tolls.get(group) ?? 0) * group.most
  const best = largestFew<undefined>(maxOpen, 0)
  const open: { readonly curve: RewardCurve; readonly surplus: number }[] = []
  for (const { curve, least, most, isOpen } of rooms) {
    let due = price
    for (const group of groupsOf(curve)) due += tolls.get(group) ?? 0
    const taken = demandAt(curve, risk, due, least, most)
    const surplus = gainOf(curve, risk, taken) - due * taken
    if (!isOpen) bound += surplus
    else {
      best.offer(surplus, undefined)
      open.push({ curve, surplus })
    }
  }
  for (const { value } of best.kept) bound += value
  const last = best.threshold()
  return {
    bound,
    hopefulFor: (value) =>
      open.flatMap(({ curve, surplus }) => (bound + Math.min(0, surplus - last) >= value ? [curve] : [])),
  }
}
