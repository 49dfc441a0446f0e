import type { UnitGroup } from '../solver/capped/units/unit-groups.ts'
import type { WholeSlot } from '../solver/unit-worth.ts'
import { equalParts, isMovable, type TransactionSize, transactionsFor } from '../transaction-parts.ts'

/**
 * Amounts that transactions of this size can stake, near those wanted and with the same sum, which such transactions can
 * stake. Where one transaction may stake less than two smallest stakes, some amounts are too large for one and too small
 * for two: then all stakes are about equal, and each validator gets a whole number of them.
 */
export function inWholeStakes(wanted: readonly bigint[], size: TransactionSize): readonly bigint[] {
  if (wanted.every((amount) => isMovable(amount, size))) return wanted
  const sum = wanted.reduce((all, amount) => all + amount, 0n)
  const stakes = equalParts(sum, transactionsFor(sum, size.most))
  let [taken, passed, given] = [0, 0n, 0n]
  return wanted.map((amount) => {
    passed += amount
    const before = given
    // The running sum stays within half a stake of what is wanted, so that no amount is off by more than one.
    for (
      let next = stakes[taken];
      next !== undefined && 2n * (passed - given) >= next;
      next = stakes[taken]
    ) {
      given += next
      taken += 1
    }
    return given - before
  })
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
