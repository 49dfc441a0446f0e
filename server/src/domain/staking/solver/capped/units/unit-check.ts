import type { RewardCurve } from '../../reward-curve.ts'
import type { WholeSlot } from '../../unit-worth.ts'
import { fitUnits } from './fit-units.ts'
import { quarterOfASecond } from './pack-units.ts'
import type { UnitGroup } from './unit-groups.ts'

type Amounts = ReadonlyMap<RewardCurve, number>

/** Whether curves can hold an amount in whole units: floats cannot tell where it comes to the last of them. */
export type UnitCheck = {
  /** Amounts that are whole units, near those given, with which all of the curves take part; undefined: there are none. */
  readonly unitsFor: (curves: readonly RewardCurve[], near?: Amounts) => Amounts | undefined
  /** Some choice was not decided. */
  readonly cutShort: () => void
  /** Whether every choice was decided. */
  readonly isComplete: () => boolean
}

type Whole = {
  readonly amount: bigint
  readonly groups: readonly UnitGroup[]
  readonly slotOf: (curve: RewardCurve) => Omit<WholeSlot, 'near'>
}

export function newUnitCheck({ amount, groups, slotOf }: Whole): UnitCheck {
  let isComplete = true
  // For all choices together: a request must not keep the process busy for longer.
  const left = quarterOfASecond()
  const known = new Map<string, Amounts | undefined>()
  const numbers = new Map<RewardCurve, number>()
  const numberOf = (curve: RewardCurve): number => {
    const number = numbers.get(curve) ?? numbers.size
    numbers.set(curve, number)
    return number
  }
  const fit = (curves: readonly RewardCurve[], near: Amounts | undefined): Amounts | undefined => {
    const slots = curves.map((curve) => ({ ...slotOf(curve), near: near?.get(curve) ?? 0 }))
    const start = slots.map(({ near, least }) => (near > Number(least) ? BigInt(Math.floor(near)) : least))
    const fitted = fitUnits({ slots, groups, amount }, start, left)
    if (fitted.kind === 'open') isComplete = false
    if (fitted.kind !== 'packed') return undefined
    return new Map(curves.map((curve, at) => [curve, Number(fitted.units[at] ?? 0n)]))
  }
  return {
    unitsFor: (curves, near) => {
      const name = curves
        .map(numberOf)
        .toSorted((a, b) => a - b)
        .join()
      if (!known.has(name)) known.set(name, fit(curves, near))
      return known.get(name)
    },
    cutShort: () => {
      isComplete = false
    },
    isComplete: () => isComplete,
  }
}
