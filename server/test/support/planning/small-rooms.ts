import fc from 'fast-check'
import type { Rooms } from '#domain/staking/solver/capped/units/most-within.ts'
import { sumOf } from './sum-of.ts'

/** Bounds and caps that are small enough to try all amounts. */
export const smallRooms = (most: {
  readonly slots: number
  readonly groups: number
  readonly bound: bigint
  readonly cap: bigint
}): fc.Arbitrary<Rooms> =>
  fc
    .record({
      bounds: fc.array(fc.bigInt(0n, most.bound), { minLength: 1, maxLength: most.slots }),
      caps: fc.array(fc.record({ mask: fc.nat(2 ** most.slots - 1), most: fc.bigInt(0n, most.cap) }), {
        maxLength: most.groups,
      }),
    })
    .map(({ bounds, caps }) => ({
      bounds,
      caps: caps.map(({ mask, most }) => ({
        members: new Set(bounds.keys().filter((at) => (mask >> at) & 1)),
        most,
      })),
    }))

export const usedBy = (amounts: readonly bigint[], members: ReadonlySet<number>): bigint =>
  sumOf(amounts.filter((_, at) => members.has(at)))

/** Brute force: the largest sum of multiples of 1/parts that keep the bounds and caps, as a number of parts. */
export function mostByBruteForce({ bounds, caps }: Rooms, parts: bigint): bigint {
  let most = 0n
  const visit = (amounts: readonly bigint[]): void => {
    const bound = bounds[amounts.length]
    if (caps.some((cap) => usedBy(amounts, cap.members) > cap.most * parts)) return
    if (bound === undefined) {
      if (sumOf(amounts) > most) most = sumOf(amounts)
      return
    }
    for (let amount = 0n; amount <= bound * parts; amount++) visit([...amounts, amount])
  }
  visit([])
  return most
}
