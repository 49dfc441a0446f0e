import { chooseMostRoom } from '../../solver/capped/capped-room.ts'
import { findCappedSplit, type GroupCap } from '../../solver/capped/capped-split.ts'
import { cappedProblem } from '../../solver/capped/group-caps.ts'
import { halfOf, type SearchWork } from '../../solver/capped/search-work.ts'
import type { SplitProblem } from '../../solver/dual-bound.ts'
import { type RewardCurve, rewardCurve } from '../../solver/reward-curve.ts'
import { capsOf, type RebalanceProblem } from '../problem.ts'

/** Relative tolerance for float rounding: a split that fills all the room must exist. */
const CLOSE = 2e-12

/**
 * The same problem with an upper bound on the stake beyond the caller's limits: only stake that has no room within
 * them or may not move. Gains alone would not enforce the limits: stake beyond them counts 0, which is more than at a
 * place where risk costs more than the rewards. So stake would rather stay beyond the limits, or stake within them
 * would take the room.
 */
export function leastBeyond(problem: RebalanceProblem, work: SearchWork): SplitProblem {
  const { split, keeps, mayMove } = problem
  const above = new Set(keeps.flatMap(({ beyond }) => beyond?.curve ?? []))
  const whole = split.free.reduce((sum, { curve, most }) => (above.has(curve) ? sum + most : sum), 0)
  if (whole === 0) return split
  const within = { ...split, free: split.free.filter(({ curve }) => !above.has(curve)) }
  const missing = missingRoom(within, capsOf(problem), { most: whole, work })
  const withoutRoom = missing > 0 ? missing + CLOSE * split.amount : 0
  const stays = Math.max(withoutRoom, whole - Number(mayMove))
  if (stays >= whole) return split
  const free = split.free.map((slot) =>
    above.has(slot.curve) ? { ...slot, most: (slot.most * stays) / whole } : slot,
  )
  return { ...split, free }
}

type Room = { readonly most: number; readonly work: SearchWork }

/**
 * The amount without room. A greedy choice computes it exactly, unless groups overlap: then stake that stays may take
 * the room of stake that could move, and the best split over curves that all earn nothing computes it.
 */
function missingRoom(within: SplitProblem, groups: readonly GroupCap[], { most, work }: Room): number {
  const { missing } = chooseMostRoom(cappedProblem(within, groups), { forced: [], open: within.choices })
  if (missing <= 0 || !overlap(groups)) return missing
  const flat = new Map<RewardCurve, RewardCurve>()
  const flattened = (curve: RewardCurve): RewardCurve => {
    const known = flat.get(curve) ?? rewardCurve({ ...NOTHING, cap: curve.cap })
    flat.set(curve, known)
    return known
  }
  const overflow = rewardCurve({ ...NOTHING, cost: 1 })
  const problem = {
    ...within,
    risk: 0,
    choices: within.choices.map(flattened),
    free: [
      ...within.free.map((slot) => ({ ...slot, curve: flattened(slot.curve) })),
      { curve: overflow, least: 0, most },
    ],
  }
  const caps = groups.map((group) => ({ ...group, members: new Set([...group.members].map(flattened)) }))
  const part = findCappedSplit(problem, caps, { work: halfOf(work) })?.parts.find(
    ({ curve }) => curve === overflow,
  )
  return part ? Math.min(missing, part.amount) : missing
}

const NOTHING = { stake: 1, slope: 0, knee: 0, decline: 0, cost: 0, variance: 0 } as const

function overlap(groups: readonly GroupCap[]): boolean {
  const all = groups.reduce((sum, { members }) => sum + members.size, 0)
  return new Set(groups.flatMap(({ members }) => [...members])).size < all
}
