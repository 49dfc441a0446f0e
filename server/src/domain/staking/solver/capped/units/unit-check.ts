import type { RewardCurve } from '../../reward-curve.ts'
import type { WholeSlot } from '../../unit-worth.ts'
import { fitUnits } from './fit-units.ts'
import { newWorkLimit } from './pack-units.ts'
import type { UnitGroup } from './unit-groups.ts'

type Amounts = ReadonlyMap<RewardCurve, number>

/** Decides whether curves can hold the amount in whole units. Floats are too coarse to decide it to the last unit. */
export type UnitCheck = {
  /** Whole units near those given, in which every curve takes part; undefined if none were found. */
  readonly unitsFor: (curves: readonly RewardCurve[], near?: Amounts) => Amounts | undefined
  /** Records that some choice stays undecided. */
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
  // One work limit for all choices together: a request must not block the process for longer.
  const left = newWorkLimit()
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
