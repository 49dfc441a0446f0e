import type { Split } from '../../best-split.ts'
import type { UnitCheck } from './unit-check.ts'

/**
 * The best split and its whole units. The first search uses floats only. If it finds no split, or one that is not
 * possible in whole units, the search is repeated with a check of every choice in whole units.
 */
export function findWhole<Found extends Split, Units>(
  find: (check?: UnitCheck) => Found | undefined,
  toUnits: (split: Found) => Units | undefined,
  newCheck: () => UnitCheck,
):
  | { readonly split: Found; readonly units: Units }
  | { readonly split: undefined; readonly isProven: boolean } {
  const chosen = withUnits(find(), toUnits)
  if (chosen) return chosen
  const check = newCheck()
  return withUnits(find(check), toUnits) ?? { split: undefined, isProven: check.isComplete() }
}

function withUnits<Found, Units>(split: Found | undefined, toUnits: (split: Found) => Units | undefined) {
  const units = split && toUnits(split)
  return units && { split, units }
}
