import type { RewardCurve } from './reward-curve.ts'

/** A validator that takes part, with its bounds and the amount that floats have found for it. */
export type WholeSlot = {
  readonly curve: RewardCurve
  /** The curve's stake, to the unit. */
  readonly stake: bigint
  readonly least: bigint
  readonly most: bigint
  readonly near: number
}

/** Gains are compared as whole multiples of 2⁻¹⁶⁰: finer than the coefficients, which are floats, can tell. */
const ONE = 2 ** 160
/** A worth is cut off at a whole multiple. A difference above this is real, so that exchanging must come to an end. */
const ROUNDING = 1n

/**
 * The best split into whole units that add up to the amount exactly. For concave gains a split is optimal as soon
 * as moving one unit from one validator to another gains nothing, so that is what is checked, with whole-number
 * arithmetic. Floats are right to about thirteen digits, which leaves thousands of units to be put right.
 * Of equals, the first gets the odd unit. Undefined when the bounds cannot hold the amount.
 */
export function splitIntoUnits(
  slots: readonly WholeSlot[],
  amount: bigint,
  risk: number,
): readonly bigint[] | undefined {
  if (!canHold(slots, amount)) return undefined
  const shares = slots.map((slot) => newShare(slot, risk))
  // What is left after a step is about the square of it: one that moved by less than this leaves nothing.
  if (refine(shares, amount) > 1e-9) refine(shares, amount)
  // Large steps first when far off. Each halving needs a few moves per share; a bound keeps the work finite anyway.
  const patience = 16 * shares.length + 16
  if (!settle(shares, amount, 1n, patience)) {
    const highest = 1n << BigInt(amount.toString(2).length)
    for (let step = highest; step > 0n; step >>= 1n) settle(shares, amount, step, patience)
  }
  return shares.map(({ units }) => units)
}

function canHold(slots: readonly WholeSlot[], amount: bigint): boolean {
  let least = 0n
  let most = 0n
  for (const slot of slots) {
    if (slot.least > slot.most) return false
    least += slot.least
    most += slot.most
  }
  return least <= amount && amount <= most
}

type Share = ReturnType<typeof newShare>

/** One validator's units, and the exact worth of giving it more or taking some away. */
function newShare({ curve, stake, least, most, near }: WholeSlot, risk: number) {
  const slope = toFixed(curve.slope)
  const decline = toFixed(curve.decline)
  const cost = toFixed(curve.cost)
  const halfBend = toFixed((risk * curve.variance) / 2)
  const knee = curve.knee < Number(most) ? toWhole(curve.knee) : most
  const worthOf = (from: bigint, step: bigint): bigint => {
    const to = from + step
    const straight = to <= knee ? step : from < knee ? knee - from : 0n
    const start = stake + (from < knee ? knee : from)
    const curved = straight < step ? (decline * (step - straight)) / (start * (stake + to)) : 0n
    return slope * straight + curved - step * (cost + halfBend * (from + to))
  }
  return {
    units: withSnap(near, least, most),
    least,
    most,
    knee,
    worthOf,
    /** Floats do here: a correction that is right to thirteen digits of itself is right to the unit. */
    bendAt: (x: number): number =>
      (x < curve.knee ? 0 : (2 * curve.decline) / (Number(stake) + x) ** 3) + (2 * Number(halfBend)) / ONE,
  }
}

/** What floats put at a bound, up to their rounding, is at the bound. */
function withSnap(near: number, least: bigint, most: bigint): bigint {
  const rounding = 1e-12 * near
  if (near <= Number(least) + rounding) return least
  if (near >= Number(most) - rounding) return most
  return toWhole(near)
}

/**
 * One Newton step on "every unit that can move is worth the same", with exact differences of worth. Returns by how
 * large a part of the amount it moved any share.
 */
function refine(shares: readonly Share[], amount: bigint): number {
  // At a knee the worth of a unit jumps: what rests there stays there.
  const movable = shares.filter(
    ({ units, least, most, knee }) => units > least && units < most && units !== knee,
  )
  const first = movable[0]
  if (!first) return 0
  const reference = first.worthOf(first.units, 1n)
  let missing = Number(amount - shares.reduce((sum, { units }) => sum + units, 0n))
  let ease = 0
  const wanted = movable.map((share) => {
    const give = 1 / share.bendAt(Number(share.units))
    const wish = (Number(share.worthOf(share.units, 1n) - reference) / ONE) * give
    missing -= wish
    ease += give
    return { share, wish, give }
  })
  // Along a straight line a unit is worth the same everywhere: there is no step to take.
  if (ease === Infinity) return 0
  let farthest = 0
  for (const { share, wish, give } of wanted) {
    const move = wish + (missing * give) / ease
    share.units = clamp(share.units + toWhole(move), share)
    farthest = Math.max(farthest, Math.abs(move))
  }
  return farthest / Number(amount)
}

/** Adds, removes and exchanges `step` units until nothing is gained. False when that takes more than `patience`. */
function settle(shares: readonly Share[], amount: bigint, step: bigint, patience: number): boolean {
  let missing = amount - shares.reduce((sum, { units }) => sum + units, 0n)
  const offers = shares.map((share) => appraise({ share, adding: undefined, keeping: undefined }, step))
  const move = (offer: Offer, units: bigint): void => {
    offer.share.units += units
    appraise(offer, step)
  }
  for (let moves = 0; moves <= patience; moves++) {
    const taker = mostWorthAdding(offers)
    const giver = leastWorthKeeping(offers)
    if (missing >= step && taker) {
      move(taker, step)
      missing -= step
    } else if (missing < 0n && giver) {
      move(giver, -step)
      missing += step
    } else if (taker && giver && (taker.adding ?? 0n) - (giver.keeping ?? 0n) > ROUNDING) {
      move(taker, step)
      move(giver, -step)
    } else {
      return missing === 0n || step > 1n
    }
  }
  return false
}

/** What a step more of a share is worth, and what the last step of it is. Undefined where a bound forbids it. */
type Offer = { readonly share: Share; adding: bigint | undefined; keeping: bigint | undefined }

function appraise(offer: Offer, step: bigint): Offer {
  const { units, least, most, worthOf } = offer.share
  offer.adding = units + step > most ? undefined : worthOf(units, step)
  offer.keeping = units - step < least ? undefined : worthOf(units - step, step)
  return offer
}

function mostWorthAdding(offers: readonly Offer[]): Offer | undefined {
  let found: Offer | undefined
  for (const offer of offers) {
    if (offer.adding === undefined) continue
    if (found?.adding === undefined || offer.adding > found.adding) found = offer
  }
  return found
}

function leastWorthKeeping(offers: readonly Offer[]): Offer | undefined {
  let found: Offer | undefined
  for (const offer of offers) {
    if (offer.keeping === undefined) continue
    if (found?.keeping === undefined || offer.keeping <= found.keeping) found = offer
  }
  return found
}

/** Exact: multiplying a float by a power of two changes no digit. */
const toFixed = (value: number): bigint => BigInt(Math.trunc(value * ONE))

/** Floats beyond 2⁵³ are whole numbers already. */
const toWhole = (value: number): bigint => BigInt(Math.floor(value))

function clamp(units: bigint, { least, most }: { readonly least: bigint; readonly most: bigint }): bigint {
  if (units < least) return least
  return units > most ? most : units
}
