import { type Share, toFloat, type WholeSlot } from './unit-worth.ts'

/**
 * A linear model of a share around its current units. The worth at the centre is exact; within a few thousand units of
 * it, floats suffice and their error is bounded.
 */
type Nearby = {
  readonly share: Share
  /** The total stake of the pool, these units included. */
  readonly whole: number
  /** The worth of the next unit, relative to that of the first share. */
  readonly ahead: number
  /** The decrease of worth per further unit. */
  readonly fall: number
  /** The most units it can give (`down`) and take (`up`). */
  readonly down: number
  readonly up: number
  moved: number
}

/**
 * Moves units until no exchange gains anything, and returns whether that is proven. Floats cannot prove it if worths
 * are nearly equal, moves are long or a share is at its knee.
 */
export function settleNearby(shares: readonly Share[], amount: bigint, risk: number): boolean {
  const missing = Number(shares.reduce((left, { units }) => left - units, amount))
  const nearby = surveyUnits(shares, risk)
  const isSettled = exchange(nearby, newtonStep(nearby, missing))
  const isNear = nearby.every(({ moved }) => Math.abs(moved) < FAR)
  for (const { share, moved } of nearby) share.units = clamp(share.units + BigInt(moved), share.slot)
  return isSettled && isNear && isProven(nearby)
}

/** Limit of a move: far beyond this, floats cannot represent every unit. */
const FAR = 2 ** 50

function surveyUnits(shares: readonly Share[], risk: number): readonly Nearby[] {
  let reference: bigint | undefined
  return shares.map((share) => {
    const { slot, knee, units } = share
    const { curve, least, most } = slot
    const isStraight = units < knee
    const worth = share.worthOf(units, 1n)
    reference ??= worth
    const whole = curve.stake + Number(units)
    // A share stays on its side of the knee. A share exactly at the knee is decided by exact arithmetic.
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

/** One Newton step towards equal worth of all units that can move. Returns the units that are still missing. */
function newtonStep(nearby: readonly Nearby[], missing: number): number {
  const movable = nearby.filter(({ down, up }) => down > 0 && up > 0)
  let wished = 0
  let ease = 0
  for (const { ahead, fall } of movable) {
    wished += ahead / fall
    ease += 1 / fall
  }
  // On a straight part every unit has the same worth, so Newton's step is undefined.
  if (ease === 0 || ease === Infinity) return missing
  const level = (wished - missing) / ease
  let left = missing
  for (const one of movable) {
    one.moved = Math.max(-one.down, Math.min(one.up, Math.floor((one.ahead - level) / one.fall)))
    left -= one.moved
  }
  return left
}

/** Hands out the missing units one at a time, then exchanges units that are worth more elsewhere. */
function exchange(nearby: readonly Nearby[], missing: number): boolean {
  let left = missing
  for (let movesLeft = 16 * nearby.length + 16; movesLeft > 0; movesLeft--) {
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

/** Tie-break: the first takes. */
function bestTaker(nearby: readonly Nearby[]): Nearby | undefined {
  let best: Nearby | undefined
  for (const one of nearby) {
    if (one.moved < one.up && (!best || nextWorth(one) > nextWorth(best))) best = one
  }
  return best
}

/** Tie-break: the last gives. */
function bestGiver(nearby: readonly Nearby[]): Nearby | undefined {
  let best: Nearby | undefined
  for (const one of nearby) {
    if (one.moved > -one.down && (!best || lastWorth(one) <= lastWorth(best))) best = one
  }
  return best
}

/** Whether no exchange gains anything, even with the largest float error. */
function isProven(nearby: readonly Nearby[]): boolean {
  if (nearby.some(isAtKnee)) return false
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
  return areInterchangeable(taker.share.slot, giver.share.slot) && taker.share.units >= giver.share.units - 1n
}

/** At a knee the worth of a unit jumps. */
const isAtKnee = ({ share: { units, knee, slot } }: Nearby): boolean => units === knee && knee > slot.least

/**
 * An upper bound on the error of the model. Over d units the worth D / (a · (a + 1)) falls by d · 2D / a³, with a
 * relative error up to 2 · (d + 1) / a. The rest covers several float roundings of 2⁻⁵³ each.
 */
function errorOf({ ahead, fall, moved, whole }: Nearby): number {
  const d = Math.abs(moved) + 1
  return fall * d * ((2 * (d + 1)) / whole + 2 ** -48) + Math.abs(ahead) * 2 ** -50
}

/** Whether two slots have identical curves and stakes, so that the worth of a unit depends only on their amounts. */
function areInterchangeable(a: WholeSlot, b: WholeSlot): boolean {
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
