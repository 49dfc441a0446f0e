import { settleNearby } from './nearby-units.ts'
import { newShare, type Share, type WholeSlot } from './unit-worth.ts'

/**
 * The rounding error of a worth, which is truncated to a whole number. Only larger differences count, so that the
 * exchange of units terminates.
 */
const ROUNDING = 1n

/**
 * The best split into whole units that add up to the amount exactly. With concave gains a split is optimal if moving
 * one unit from one validator to another gains nothing. This is proven by floats with error bounds if possible,
 * otherwise by integer arithmetic. Floats alone are right to about 13 digits, which would misplace thousands of
 * units. Tie-break: the first of equal validators gets the odd unit. Undefined if the bounds cannot hold the amount.
 */
export function splitIntoUnits(
  slots: readonly WholeSlot[],
  amount: bigint,
  risk: number,
): readonly bigint[] | undefined {
  if (!canHold(slots, amount)) return undefined
  const shares = slots.map((slot) => newShare(slot, risk))
  // Newton steps converge quadratically: after a distant start the second one suffices.
  if (!settleNearby(shares, amount, risk)) {
    settleNearby(shares, amount, risk)
    settleExactly(shares, amount)
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

/**
 * Tries single units first; if that takes too many moves, starts with large steps and halves them. `maxMoves` limits
 * the moves of each step size; a few per share suffice.
 */
function settleExactly(shares: readonly Share[], amount: bigint): void {
  const maxMoves = 16 * shares.length + 16
  if (settle(shares, amount, 1n, maxMoves)) return
  const highest = 1n << BigInt(amount.toString(2).length)
  for (let step = highest; step > 0n; step >>= 1n) settle(shares, amount, step, maxMoves)
}

/** Adds, removes and exchanges `step` units until nothing is gained. False if that takes more than `maxMoves`. */
function settle(shares: readonly Share[], amount: bigint, step: bigint, maxMoves: number): boolean {
  let missing = amount - shares.reduce((sum, { units }) => sum + units, 0n)
  const offers = shares.map((share) => appraise({ share, adding: undefined, keeping: undefined }, step))
  const move = (offer: Offer, units: bigint): void => {
    offer.share.units += units
    appraise(offer, step)
  }
  for (let moves = 0; moves <= maxMoves; moves++) {
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

/** The worth of adding a step to a share, and of keeping its last step. Undefined if a bound forbids the move. */
type Offer = { readonly share: Share; adding: bigint | undefined; keeping: bigint | undefined }

function appraise(offer: Offer, step: bigint): Offer {
  const { units, slot, worthOf } = offer.share
  offer.adding = units + step > slot.most ? undefined : worthOf(units, step)
  offer.keeping = units - step < slot.least ? undefined : worthOf(units - step, step)
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
