/**
 * The yearly worth of an amount staked with one validator, as a function of the amount. One family of curves serves
 * every network:
 *
 *     gain(x) = slope · min(x, knee)                              a straight part: pay by stake
 *             + decline / (stake + knee) − decline / (stake + x)  from the knee on: a pot shared by more and more
 *             − cost · x                                          what moving the stake there costs
 *             − risk · variance · x² / 2                          the price of relying on one validator
 *
 * Equal pay is a curve without a straight part (knee 0): a · x / (stake + x) with decline = a · stake. Pay by stake
 * up to a cap has its knee where the cap is reached. Every curve is concave and starts at 0.
 *
 * `risk` is the same for all curves of one problem: risk aversion divided by the whole amount.
 */
export type RewardCurve = {
  /** Stake of others, which shares the pot. At least 1. */
  readonly stake: number
  readonly slope: number
  readonly knee: number
  readonly decline: number
  readonly cost: number
  readonly variance: number
  /** The worth of the first unit, which is the highest. */
  readonly entry: number
  /** The upper bound of its amount, in addition to the `most` that all curves of a problem share. */
  readonly cap: number
}

type Shape = Omit<RewardCurve, 'entry' | 'cap'> & { readonly cap?: number }

export function rewardCurve(shape: Shape): RewardCurve {
  const { stake, slope, knee, decline, cost, variance, cap = Infinity } = shape
  const first = knee > 0 ? slope : decline / square(stake)
  // Built field by field: with a curve per validator and amount, spreading objects would dominate the run time.
  return { stake, slope, knee, decline, cost, variance, entry: first - cost, cap }
}

/**
 * Terms of additional stake: the fraction of the year for which it counts, the price of risk, and its upper bound.
 */
type Arrival = { readonly arrival: number; readonly risk: number; readonly cap?: number }

/**
 * The curve of stake added to `staked`, the caller's stake that is already there; added stake counts for the fraction
 * `arrival`. It is the same pool, starting higher: `staked` shares the pot and adds to the risk.
 */
export function arriveOnTop(
  curve: RewardCurve,
  staked: number,
  { arrival, risk, cap = Infinity }: Arrival,
): RewardCurve {
  return rewardCurve({
    stake: curve.stake + staked,
    slope: arrival * curve.slope,
    knee: Math.max(0, curve.knee - staked),
    decline: arrival * curve.decline,
    cost: curve.cost + risk * curve.variance * staked,
    variance: curve.variance,
    cap,
  })
}

/** Sorts by the worth of the first unit, highest first. */
export const byEntry = (a: RewardCurve, b: RewardCurve): number => b.entry - a.entry

/** Yearly reward alone, without cost and risk. */
export function rewardOf({ stake, slope, knee, decline }: RewardCurve, x: number): number {
  if (x <= knee) return slope * x
  // This form avoids the cancellation of two large numbers.
  return slope * knee + (decline * (x - knee)) / ((stake + knee) * (stake + x))
}

export function gainOf(curve: RewardCurve, risk: number, x: number): number {
  return rewardOf(curve, x) - x * (curve.cost + 0.5 * risk * curve.variance * x)
}

/** The worth of one more unit on top of `x`. */
export function marginalGain(curve: RewardCurve, risk: number, x: number): number {
  const reward = x < curve.knee ? curve.slope : curve.decline / square(curve.stake + x)
  return reward - curve.cost - risk * curve.variance * x
}

/** The worth of the last unit of `x`. At a knee it is worth more than the next one. */
export function lastUnitGain(curve: RewardCurve, risk: number, x: number): number {
  const reward = x <= curve.knee ? curve.slope : curve.decline / square(curve.stake + x)
  return reward - curve.cost - risk * curve.variance * x
}

/** How fast the marginal gain falls at `x`. */
export function curvatureOf(
  { stake, knee, decline, variance }: RewardCurve,
  risk: number,
  x: number,
): number {
  const whole = stake + x
  return (x < knee ? 0 : (2 * decline) / (whole * whole * whole)) + risk * variance
}

/** The amount between `least` and `most` that is worth most when every unit has to be paid for with `price`. */
export function demandAt(
  curve: RewardCurve,
  risk: number,
  price: number,
  least: number,
  most: number,
): number {
  const { stake, slope, knee, decline } = curve
  const rent = price + curve.cost
  const bend = risk * curve.variance
  if (knee > 0) {
    const straight = bend > 0 ? (slope - rent) / bend : slope > rent ? knee : 0
    if (straight < knee || knee >= most) return clamp(straight, least, most)
  }
  const bottom = Math.max(least, knee)
  if (decline / square(stake + bottom) - bend * bottom <= rent) return Math.min(bottom, most)
  if (decline / square(stake + most) - bend * most >= rent) return most
  // Without the risk term the answer is a square root; with it, that root is an upper bound to start from.
  const upper = rent > 0 ? Math.min(most, Math.sqrt(decline / rent) - stake) : most
  return bend > 0 ? descend(curve, bend, rent, bottom, upper) : Math.max(bottom, upper)
}

/**
 * Newton's method for decline / (stake + x)² − bend · x = rent. The left side is convex and decreasing, so that the
 * first step from above lands below the root, and every later one climbs towards it without passing it. The error
 * after a step is at most 1.5 / whole times the step squared: after a step of 1e-8 · whole, below float precision.
 */
function descend(
  { stake, decline }: RewardCurve,
  bend: number,
  rent: number,
  bottom: number,
  upper: number,
): number {
  let x = upper
  for (let step = 0; step < 60; step++) {
    const whole = stake + x
    const pull = decline / (whole * whole)
    const next = Math.max(bottom, x + (pull - bend * x - rent) / ((2 * pull) / whole + bend))
    const moved = Math.abs(next - x)
    x = next
    if (moved <= 1e-8 * whole) break
  }
  return x
}

/** `**` calls the general power function, which takes several times as long. */
const square = (value: number): number => value * value

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))
