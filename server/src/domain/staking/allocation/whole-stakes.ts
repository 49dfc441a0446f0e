import { smaller } from '../../amount.ts'
import type { UnitGroup } from '../solver/capped/units/unit-groups.ts'
import type { WholeSlot } from '../solver/unit-worth.ts'
import { isMovable, type TransactionSize, transactionsFor } from '../transaction-parts.ts'

/**
 * Amounts that transactions of this size can stake, near those wanted and with the same sum, which such transactions can
 * stake. Where one transaction may stake less than two smallest stakes, some amounts are too large for one and too small
 * for two: then all stakes are about equal, and each validator gets a whole number of them.
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

/** What the first of so many parts of an amount add up to, as `equalParts` makes them: there may be too many to list. */
function sumOfFirst(amount: bigint, count: bigint, first: bigint): bigint {
  return first * (amount / count) + smaller(first, amount % count)
}

/** How many of the parts come nearest to a sum: within half a part, so that no validator is off by more than one. */
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

/** Whether the units are within what each slot, and each group of them, may hold. */
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
