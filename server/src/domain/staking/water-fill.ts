import { bendOf, demandAt, gainOf, lastUnitGain, type RewardCurve } from './reward-curve.ts'

/** One validator that takes part for certain, and how much it may get. */
export type Slot = { readonly curve: RewardCurve; readonly least: number; readonly most: number }

export type Filling = {
  readonly amounts: readonly number[]
  readonly value: number
  /** What the last unit is worth, where it is worth least: no unit could be spared for less. */
  readonly price: number
}

const MAX_STEPS = 200

/**
 * The best way to share `amount` among slots that all take part. The curves are concave, so there is one price at
 * which what the slots ask for adds up to the amount: like water, the stake stands equally high in all of them.
 * Undefined when the slots' bounds cannot hold the amount.
 */
export function fillSlots(
  slots: readonly Slot[],
  amount: number,
  risk: number,
  guess: number,
): Filling | undefined {
  const amounts = sharesOf(slots, amount, risk, guess)
  if (!amounts) return undefined
  let value = 0
  let price = Number.POSITIVE_INFINITY
  for (const [index, { curve, least }] of slots.entries()) {
    const x = amounts[index] ?? 0
    value += gainOf(curve, risk, x)
    if (x > least) price = Math.min(price, lastUnitGain(curve, risk, x))
  }
  return { amounts, value, price: price < Number.POSITIVE_INFINITY ? price : guess }
}

function sharesOf(
  slots: readonly Slot[],
  amount: number,
  risk: number,
  guess: number,
): readonly number[] | undefined {
  const least = slots.reduce((sum, slot) => sum + slot.least, 0)
  const most = slots.reduce((sum, slot) => sum + slot.most, 0)
  // Sums of large numbers are off in their last digit: bounds that meet the amount up to that leave one way only.
  const rounding = 1e-15 * slots.length * amount
  if (least > amount + rounding || most < amount - rounding) return undefined
  if (least >= amount - rounding) return slots.map((slot) => slot.least)
  if (most <= amount + rounding) return slots.map((slot) => slot.most)
  const { low, high } = bracketPrice(slots, amount, risk, guess)
  const ask = (price: number): number[] =>
    slots.map((slot) => demandAt(slot.curve, risk, price, slot.least, slot.most))
  return low === high ? ask(low) : between(ask(high), ask(low), amount)
}

/**
 * Two prices with no other between them at which the slots ask for too much and too little, or the exact one. Newton's
 * method as long as each step at least halves what is wrong, halving otherwise. Its last steps are too small for a
 * float and all come from the same side: from there the other side is looked for close by.
 */
function bracketPrice(
  slots: readonly Slot[],
  amount: number,
  risk: number,
  guess: number,
): { readonly low: number; readonly high: number } {
  const scale = slots.reduce((largest, { curve }) => Math.max(largest, Math.abs(curve.entry)), 1e-300)
  let low = Number.NEGATIVE_INFINITY
  let high = Number.POSITIVE_INFINITY
  let price = guess
  let wrongBefore = Number.POSITIVE_INFINITY
  let nudge = 1e-16 * scale
  for (let step = 0; step < MAX_STEPS; step++) {
    const { excess, ease } = excessAt(slots, amount, risk, price)
    const wrong = Math.abs(excess)
    if (wrong <= 1e-15 * amount) return { low: price, high: price }
    if (excess > 0) low = price
    else high = price
    if (high - low <= 1e-16 * scale) break
    const newton = price + excess / ease
    const isClose = Math.abs(newton - price) <= nudge
    if (isClose) nudge *= 2
    const wanted = isClose ? price + Math.sign(excess) * nudge : newton
    const isQuick = isClose || 2 * wrong <= wrongBefore
    const next = isQuick && wanted > low && wanted < high ? wanted : halfway(low, high, scale, step)
    if (next <= low || next >= high) break
    wrongBefore = wrong
    price = next
  }
  return { low, high }
}

function excessAt(slots: readonly Slot[], amount: number, risk: number, price: number) {
  let excess = -amount
  /** By how much the slots would ask less if the price rose by one. */
  let ease = 0
  for (const { curve, least, most } of slots) {
    const x = demandAt(curve, risk, price, least, most)
    excess += x
    if (x > least && x < most) ease += 1 / bendOf(curve, risk, x)
  }
  return { excess, ease }
}

function halfway(low: number, high: number, scale: number, step: number): number {
  if (low === Number.NEGATIVE_INFINITY) return high - scale * 2 ** (step - 4)
  if (high === Number.POSITIVE_INFINITY) return low + scale * 2 ** (step - 4)
  return low + (high - low) / 2
}

/** Straight curves ask for all or nothing at one and the same price: there, they are filled in part. */
function between(short: readonly number[], ample: readonly number[], amount: number): number[] {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const missing = amount - sum(short)
  const available = sum(ample) - sum(short)
  const part = available > 0 ? missing / available : 0
  return short.map((value, index) => value + part * ((ample[index] ?? value) - value))
}
