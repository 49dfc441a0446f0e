import type { RewardCurve } from './reward-curve.ts'

/** A chosen validator with its bounds and its amount from the float split. */
export type WholeSlot = {
  readonly curve: RewardCurve
  /** The curve's stake, to the unit. */
  readonly stake: bigint
  readonly least: bigint
  readonly most: bigint
  readonly near: number
}

/** Worths are fixed-point numbers with 160 binary digits, finer than the float coefficients. */
const ONE = 2 ** 160

/** One validator's units, and the exact worth of giving it more or taking some away. */
export type Share = {
  readonly slot: WholeSlot
  readonly knee: bigint
  units: bigint
  /** The worth of `step` units on top of `from`, truncated to a whole multiple of 2⁻¹⁶⁰. */
  readonly worthOf: (from: bigint, step: bigint) => bigint
}

export function newShare(slot: WholeSlot, risk: number): Share {
  const { curve, stake, most } = slot
  const slope = toFixed(curve.slope)
  const decline = toFixed(curve.decline)
  const cost = toFixed(curve.cost)
  const halfBend = toFixed((risk * curve.variance) / 2)
  const knee = curve.knee < Number(most) ? toWhole(curve.knee) : most
  // Dividing twice truncates to the same result as dividing by the product, and takes half as long.
  const curved = (from: bigint, step: bigint): bigint =>
    (decline * step) / (stake + from) / (stake + from + step)
  const worthOf = (from: bigint, step: bigint): bigint => {
    const to = from + step
    const burden = step * (cost + halfBend * (from + to))
    if (from >= knee) return curved(from, step) - burden
    if (to <= knee) return slope * step - burden
    return slope * (knee - from) + curved(knee, to - knee) - burden
  }
  return { slot, knee, units: snapToBounds(slot), worthOf }
}

/** The difference of two worths, as a float. */
export const toFloat = (worth: bigint): number => Number(worth) / ONE

/** Exact: multiplying a float by a power of two changes no digit. */
const toFixed = (value: number): bigint => (value === 0 ? 0n : BigInt(Math.trunc(value * ONE)))

/** Floats beyond 2⁵³ are whole numbers already. */
const toWhole = (value: number): bigint => BigInt(Math.floor(value))

/** Snaps an amount to a bound that it misses only by float rounding. */
function snapToBounds({ near, least, most }: WholeSlot): bigint {
  const rounding = 1e-12 * near
  if (near <= Number(least) + rounding) return least
  if (near >= Number(most) - rounding) return most
  return toWhole(near)
}
