import { smaller } from '../../amount.ts'
import type { UnitGroup } from '../solver/capped/units/unit-groups.ts'
import type { WholeSlot } from '../solver/unit-worth.ts'
import { isMovable, type TransactionSize, transactionsFor } from '../transaction-parts.ts'

/**
 * Rounds amounts to ones that transactions of this size can stake, with the same sum; the sum itself must be
 * stakeable. If `most` is less than two smallest stakes, some amounts are too large for one transaction and too small
 * for two: then all stakes are nearly equal, and each validator gets a whole number of them.
 */
export function inWholeStakes(wanted: readonly bigint[], size: TransactionSize): readonly bigint[] {
  if (wanted.every((amount) => isMovable(amount, size))) return wanted
  const sum = wanted.reduce((all, amount) => all + amount, 0n)
  const count = transactionsFor(sum, size.most)
  let [passed, given] = [0n, 0n]
  return wanted.map((amount) => {
    passed += amount
    const before = given
    given = sumOfFirst(sum, count, nearestCount(sum, count, passed))
    return given - before
  })
}

/**
 * The sum of the first `first` of `count` parts of an amount, as `equalParts` makes them, which may be too many to
 * list.
 */
function sumOfFirst(amount: bigint, count: bigint, first: bigint): bigint {
  return first * (amount / count) + smaller(first, amount % count)
}

/**
 * Binary search: the number of parts whose sum is nearest. It is off by half a part, so a validator by one at most.
 */
function nearestCount(amount: bigint, count: bigint, sum: bigint): bigint {
  let [low, high] = [0n, count]
  while (low < high) {
    const middle = (low + high) / 2n
    const around = sumOfFirst(amount, count, middle) + sumOfFirst(amount, count, middle + 1n)
    if (around <= 2n * sum) low = middle + 1n
    else high = middle
  }
  return low
}

/** Whether the units are within the room of each slot and each group. */
export function hasRoom(
  slots: readonly WholeSlot[],
  units: readonly bigint[],
  groups: readonly UnitGroup[],
): boolean {
  const inGroup = ({ members }: UnitGroup) =>
    slots.reduce((sum, { curve }, at) => (members.has(curve) ? sum + (units[at] ?? 0n) : sum), 0n)
  return (
    slots.every(({ most }, at) => (units[at] ?? 0n) <= most) &&
    groups.every((group) => inGroup(group) <= group.units)
  )
}
