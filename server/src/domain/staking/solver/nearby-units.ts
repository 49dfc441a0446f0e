import { type Share, toFloat, type WholeSlot } from './unit-worth.ts'

/**
 * A share around its present units. Their worth is known exactly, and within a few thousand units it falls evenly, so
 * that floats can tell what comes next: what they are wrong by is known too.
 */
type Nearby = {
  readonly share: Share
  /** The stake that shares the pot, with these units in it. */
  readonly whole: number
  /** What the next unit is worth more than that of the first share. */
  readonly ahead: number
  /** By how much each further unit is worth less. */
  readonly fall: number
  /** How many units it can give and take. */
  readonly down: number
  readonly up: number
  moved: number
}

/**
 * Moves units until no exchange gains anything, and tells whether that is proven. It is not when shares are so close,
 * moves so far or knees so near that floats cannot tell.
 */
export function settleNearby(shares: readonly Share[], amount: bigint, risk: number): boolean {
  const missing = Number(shares.reduce((left, { units }) => left - units, amount))
  const nearby = lookAround(shares, risk)
  const isSettled = exchange(nearby, meetHalfway(nearby, missing))
  const isNear = nearby.every(({ moved }) => Math.abs(moved) < FAR)
  for (const { share, moved } of nearby) share.units = clamp(share.units + BigInt(moved), share.slot)
  return isSettled && isNear && isProven(nearby)
}

/** Beyond this, floats do not count every unit. */
const FAR = 2 ** 50

function lookAround(shares: readonly Share[], risk: number): readonly Nearby[] {
  let reference: bigint | undefined
  return shares.map((share) => {
    const { slot, knee, units } = share
    const { curve, least, most } = slot
    const isStraight = units < knee
    const worth = share.worthOf(units, 1n)
    reference ??= worth
    const whole = curve.stake + Number(units)
    // What is before a knee stays before it, and what rests there is left to exact arithmetic.
    const bottom = isStraight || knee < least ? least : knee
    return {
      share,
      whole,
      ahead: toFloat(worth - reference),
      fall: (isStraight ? 0 : (2 * curve.decline) / (whole * whole * whole)) + risk * curve.variance,
      down: Number(units - bottom),
      up: Number((isStraight ? knee : most) - units),
      moved: 0,
    }
  })
}

/** One Newton step on "every unit that can move is worth the same". Returns how many units are missing then. */
function meetHalfway(nearby: readonly Nearby[], missing: number): number {
  const movable = nearby.filter(({ down, up }) => down > 0 && up > 0)
  let wished = 0
  let ease = 0
  for (const { ahead, fall } of movable) {
    wished += ahead / fall
    ease += 1 / fall
  }
  // Along a straight line a unit is worth the same everywhere: there is no step to take.
  if (ease === 0 || ease === Infinity) return missing
  const level = (wished - missing) / ease
  let left = missing
  for (const one of movable) {
    one.moved = Math.max(-one.down, Math.min(one.up, Math.floor((one.ahead - level) / one.fall)))
    left -= one.moved
  }
  return left
}

/** Hands out what is left, one unit at a time, and exchanges units that are worth more elsewhere. */
function exchange(nearby: readonly Nearby[], missing: number): boolean {
  let left = missing
  for (let patience = 16 * nearby.length + 16; patience > 0; patience--) {
    const taker = bestTaker(nearby)
    const giver = bestGiver(nearby)
    if (left > 0 && taker) {
      taker.moved++
      left--
    } else if (left < 0 && giver) {
      giver.moved--
      left++
    } else if (taker && giver && nextWorth(taker) > lastWorth(giver)) {
      taker.moved++
      giver.moved--
    } else {
      return left === 0
    }
  }
  return false
}

const nextWorth = ({ ahead, fall, moved }: Nearby): number => ahead - fall * moved
const lastWorth = ({ ahead, fall, moved }: Nearby): number => ahead - fall * (moved - 1)

/** Of equals, the first takes. */
function bestTaker(nearby: readonly Nearby[]): Nearby | undefined {
  let best: Nearby | undefined
  for (const one of nearby) {
    if (one.moved < one.up && (!best || nextWorth(one) > nextWorth(best))) best = one
  }
  return best
}

/** Of equals, the last gives. */
function bestGiver(nearby: readonly Nearby[]): Nearby | undefined {
  let best: Nearby | undefined
  for (const one of nearby) {
    if (one.moved > -one.down && (!best || lastWorth(one) <= lastWorth(best))) best = one
  }
  return best
}

/** That no unit is worth more elsewhere, whatever floats are wrong by. */
function isProven(nearby: readonly Nearby[]): boolean {
  if (nearby.some(rests)) return false
  let highest = Number.NEGATIVE_INFINITY
  let lowest = Number.POSITIVE_INFINITY
  for (const one of nearby) {
    if (one.moved < one.up) highest = Math.max(highest, nextWorth(one) + errorOf(one))
    if (one.moved > -one.down) lowest = Math.min(lowest, lastWorth(one) - errorOf(one))
  }
  if (highest < lowest) return true
  return nearby.every((taker) => nearby.every((giver) => isSurelyNoGain(taker, giver)))
}

function isSurelyNoGain(taker: Nearby, giver: Nearby): boolean {
  if (taker.moved === taker.up || giver.moved === -giver.down) return true
  if (nextWorth(taker) + errorOf(taker) < lastWorth(giver) - errorOf(giver)) return true
  return areTwins(taker.share.slot, giver.share.slot) && taker.share.units >= giver.share.units - 1n
}

/** At a knee the worth of a unit jumps. */
const rests = ({ share: { units, knee, slot } }: Nearby): boolean => units === knee && knee > slot.least

/**
 * Over d units the worth D / (a · (a + 1)) falls by d · 2D / a³, up to the part 2 · (d + 1) / a of it. The floats that
 * this is reckoned with are right to 2⁻⁵³, a few times over.
 */
function errorOf({ ahead, fall, moved, whole }: Nearby): number {
  const d = Math.abs(moved) + 1
  return fall * d * ((2 * (d + 1)) / whole + 2 ** -48) + Math.abs(ahead) * 2 ** -50
}

/** Equal in all that counts: what a unit is worth depends on how many there are, and on nothing else. */
function areTwins(a: WholeSlot, b: WholeSlot): boolean {
  return (
    a === b ||
    (a.stake === b.stake &&
      a.curve.decline === b.curve.decline &&
      a.curve.variance === b.curve.variance &&
      a.curve.slope === b.curve.slope &&
      a.curve.knee === b.curve.knee &&
      a.curve.cost === b.curve.cost)
  )
}

function clamp(units: bigint, { least, most }: WholeSlot): bigint {
  if (units < least) return least
  return units > most ? most : units
}
