import {
  curvatureOf,
  demandAt,
  gainOf,
  lastUnitGain,
  marginalGain,
  type RewardCurve,
} from './reward-curve.ts'

/** A chosen validator with the least and the most it may get. */
export type Slot = { readonly curve: RewardCurve; readonly least: number; readonly most: number }

export type Filling = {
  readonly amounts: readonly number[]
  readonly value: number
  /**
   * The marginal worth: of the least valuable unit that can be removed, or, if none can be removed, of the most
   * valuable unit that could be added.
   */
  readonly price: number
}

const MAX_STEPS = 200
const SMALL = 1e-8

/**
 * The best way to share `amount` among slots that all take part (water filling). The curves are concave, so there is
 * one price at which the demands of the slots add up to the amount. Undefined if the slots' bounds cannot hold the
 * amount.
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
  let last = Number.POSITIVE_INFINITY
  let next = Number.NEGATIVE_INFINITY
  let index = 0
  for (const { curve, least } of slots) {
    const x = amounts[index++] ?? 0
    value += gainOf(curve, risk, x)
    if (x > least) last = Math.min(last, lastUnitGain(curve, risk, x))
    else next = Math.max(next, marginalGain(curve, risk, x))
  }
  return { amounts, value, price: last < Number.POSITIVE_INFINITY ? last : next }
}

function sharesOf(
  slots: readonly Slot[],
  amount: number,
  risk: number,
  guess: number,
): readonly number[] | undefined {
  let least = 0
  let most = 0
  for (const slot of slots) {
    least += slot.least
    most += slot.most
  }
  // Where the bounds add up to the amount within float rounding, only one split is possible.
  const rounding = 1e-15 * slots.length * amount
  if (least > amount + rounding || most < amount - rounding) return undefined
  if (least >= amount - rounding) return slots.map((slot) => slot.least)
  if (most <= amount + rounding) return slots.map((slot) => slot.most)
  if (slots.length === 1) return [amount]
  return sharesAtOnePrice(slots, amount, risk, guess)
}

/**
 * Searches the price by Newton's method as long as each step at least halves the error, otherwise by bisection. The
 * last step, too small for a price in floats, is applied to the amounts (`settle`). If two adjacent prices ask for
 * too much and too little, the amounts are interpolated between theirs.
 */
function sharesAtOnePrice(
  slots: readonly Slot[],
  amount: number,
  risk: number,
  guess: number,
): readonly number[] {
  const scale = slots.reduce((largest, { curve }) => Math.max(largest, Math.abs(curve.entry)), 1e-300)
  let low = Number.NEGATIVE_INFINITY
  let high = Number.POSITIVE_INFINITY
  let price = guess
  let errorBefore = Number.POSITIVE_INFINITY
  for (let step = 0; step < MAX_STEPS; step++) {
    const demand = totalDemandAt(slots, amount, risk, price)
    const settled = settle(slots, amount, demand)
    if (settled) return settled
    if (demand.excess > 0) low = price
    else high = price
    if (high - low <= 1e-16 * scale) break
    const error = Math.abs(demand.excess)
    const newton = newtonStep(price, demand)
    const isQuick = 2 * error <= errorBefore && newton > low && newton < high
    const next = isQuick ? newton : halfway(low, high, scale, step)
    if (next <= low || next >= high) break
    errorBefore = error
    price = next
  }
  return interpolate(totalDemandAt(slots, amount, risk, high), totalDemandAt(slots, amount, risk, low))
}

/** The step is taken in 1 / √price: without risk, the demand of a diluted pool is linear in it. */
function newtonStep(price: number, { excess, slope }: Demand): number {
  const part = excess / (2 * slope * price)
  return price > 0 && Math.abs(part) < 0.5 ? price / (1 - part) ** 2 : price + excess / slope
}

type Demand = {
  readonly amounts: readonly number[]
  /** The derivative of demand with respect to the price, per slot and in total, with a positive sign. */
  readonly slopes: readonly number[]
  readonly slope: number
  /** Total demand minus the amount. */
  readonly excess: number
}

function totalDemandAt(slots: readonly Slot[], amount: number, risk: number, price: number): Demand {
  const amounts: number[] = []
  const slopes: number[] = []
  let excess = -amount
  let slope = 0
  for (const { curve, least, most } of slots) {
    const x = demandAt(curve, risk, price, least, most)
    // At a bound or knee, a small change of the price does not change the demand.
    const isFixed = x <= least || x >= most || x === curve.knee
    const change = isFixed ? 0 : 1 / curvatureOf(curve, risk, x)
    amounts.push(x)
    slopes.push(change)
    excess += x
    slope += change
  }
  return { amounts, slopes, slope, excess }
}

/**
 * The final amounts, if the excess is so small that a linear step of each amount, in proportion to its slope, is
 * exact: over a relative length of 1e-8 a curve deviates from a line by the square of that. No step may cross a knee
 * or a bound.
 */
function settle(
  slots: readonly Slot[],
  amount: number,
  { amounts, slopes, slope, excess }: Demand,
): readonly number[] | undefined {
  if (Math.abs(excess) <= 1e-15 * amount) return amounts
  if (Math.abs(excess) > SMALL * amount || !(slope > 0 && slope < Infinity)) return undefined
  const settled: number[] = []
  for (const { curve, least, most } of slots) {
    const demand = amounts[settled.length] ?? 0
    const step = (-excess * (slopes[settled.length] ?? 0)) / slope
    const x = demand + step
    if (Math.abs(step) > SMALL * (curve.stake + demand)) return undefined
    if (x < least || x > most || x < curve.knee !== demand < curve.knee) return undefined
    settled.push(x)
  }
  return settled
}

function halfway(low: number, high: number, scale: number, step: number): number {
  if (low === Number.NEGATIVE_INFINITY) return high - scale * 2 ** (step - 4)
  if (high === Number.POSITIVE_INFINITY) return low + scale * 2 ** (step - 4)
  return low + (high - low) / 2
}

/** A straight curve asks for all or nothing at its price: interpolation fills it in part. */
function interpolate(short: Demand, ample: Demand): readonly number[] {
  const available = ample.excess - short.excess
  const part = available > 0 ? -short.excess / available : 0
  return short.amounts.map((value, index) => value + part * ((ample.amounts[index] ?? value) - value))
}
