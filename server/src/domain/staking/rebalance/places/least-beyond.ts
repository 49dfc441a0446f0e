import { chooseMostRoom } from '../../solver/capped/capped-room.ts'
import { cappedProblem } from '../../solver/capped/group-caps.ts'
import type { SplitProblem } from '../../solver/dual-bound.ts'
import { capsOf, type RebalanceProblem } from '../problem.ts'

/** Relative, for the rounding of floats: a split that fills all the room must exist. */
const CLOSE = 2e-12

/**
 * The same problem, in which no more stays beyond the caller's limits than must: what has no room within them, and what
 * may not move. Limits come before gains, so that gains cannot decide it: stake beyond the limits counts nothing, and
 * where risk costs more than is earned it counts less than that. Stake would then rather stay beyond the limits than go
 * there, and stake that is within them would take the room. Where groups overlap, the room is what a greedy choice finds.
 */
export function leastBeyond(problem: RebalanceProblem): SplitProblem {
  const { split, keeps, mayMove } = problem
  const above = new Set(keeps.flatMap(({ beyond }) => beyond?.curve ?? []))
  const whole = split.free.reduce((sum, { curve, most }) => (above.has(curve) ? sum + most : sum), 0)
  if (whole === 0) return split
  const within = { ...split, free: split.free.filter(({ curve }) => !above.has(curve)) }
  const everything = { forced: [], open: split.choices }
  const { missing } = chooseMostRoom(cappedProblem(within, capsOf(problem)), everything)
  const homeless = missing > 0 ? missing + CLOSE * split.amount : 0
  const stays = Math.max(homeless, whole - Number(mayMove))
  if (stays >= whole) return split
  const free = split.free.map((slot) =>
    above.has(slot.curve) ? { ...slot, most: (slot.most * stays) / whole } : slot,
  )
  return { ...split, free }
}
