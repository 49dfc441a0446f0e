import { settleNearby } from './nearby-units.ts'
import { newShare, type Share, type WholeSlot } from './unit-worth.ts'

/**
 * Worths are truncated to whole multiples. Only differences above this count, so that the exchange of units
 * terminates.
 */
const ROUNDING = 1n

/**
 * The best split into whole units that add up to the amount exactly. For concave gains a split is optimal as soon
 * as moving one unit from one validator to another gains nothing, so that is what is checked: by floats where they
 * can be sure, otherwise with whole-number arithmetic. Floats alone are right to about thirteen digits, which leaves
 * thousands of units to be put right. Of equals, the first gets the odd unit. Undefined when the bounds cannot hold
 * the amount.
 */
export function splitIntoUnits(
  slots: readonly WholeSlot[],
  amount: bigint,
  risk: number,
): readonly bigint[] | undefined {
  if (!canHold(slots, amount)) return undefined
  const shares = slots.map((slot) => newShare(slot, risk))
  // The steps converge quadratically: from far off, the second one suffices.
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
 * Starts with large steps and halves them. Each step size needs a few moves per share; `patience` bounds the work.
 */
function settleExactly(shares: readonly Share[], amount: bigint): void {
  const patience = 16 * shares.length + 16
  if (settle(shares, amount, 1n, patience)) return
  const highest = 1n << BigInt(amount.toString(2).length)
  for (let step = highest; step > 0n; step >>= 1n) settle(shares, amount, step, patience)
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

/** The worth of adding a step to a share, and of its last step. Undefined where a bound forbids it. */
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
