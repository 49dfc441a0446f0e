import type { Split } from '../../best-split.ts'
import type { UnitCheck } from './unit-check.ts'

/**
 * The best split and its whole units. The first search uses floats only. If it finds no split, or one that is not
 * possible in whole units, the search is repeated with a check of every choice in whole units.
 */
export function findWhole<Units>(
  find: (check?: UnitCheck) => Split | undefined,
  toUnits: (split: Split) => Units | undefined,
  newCheck: () => UnitCheck,
):
  | { readonly split: Split; readonly units: Units }
  | { readonly split: undefined; readonly isProven: boolean } {
  const chosen = withUnits(find(), toUnits)
  if (chosen) return chosen
  const check = newCheck()
  return withUnits(find(check), toUnits) ?? { split: undefined, isProven: check.isComplete() }
}

function withUnits<Units>(split: Split | undefined, toUnits: (split: Split) => Units | undefined) {
  const units = split && toUnits(split)
  return units && { split, units }
}
