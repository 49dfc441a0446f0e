import { smaller } from '../../../../amount.ts'
import { splitIntoUnits } from '../../integer-split.ts'
import { newShare, type Share, type WholeSlot } from '../../unit-worth.ts'
import { fitUnits } from './fit-units.ts'
import { roomIn, type UnitGroup } from './unit-groups.ts'

/**
 * Whole units that add up to the amount and keep every group within its cap. Where no cap is reached, they are the
 * optimum to the unit; where one is, up to the rounding of the floats that found the amounts.
 */
export function splitIntoCappedUnits(
  slots: readonly WholeSlot[],
  amount: bigint,
  risk: number,
  groups: readonly UnitGroup[],
): readonly bigint[] | undefined {
  const units = isNearCap(slots, groups) ? undefined : splitIntoUnits(slots, amount, risk)
  if (units && roomIn(slots, units, groups).every((room) => room >= 0n)) return units
  return groups.length === 0 ? units : settleWithin(slots, amount, risk, groups)
}

const isNearCap = (slots: readonly WholeSlot[], groups: readonly UnitGroup[]): boolean =>
  groups.some(({ members, units }) => {
    const near = slots.reduce((sum, { curve, near }) => sum + (members.has(curve) ? near : 0), 0)
    return near >= Number(units) * (1 - 1e-9)
  })

function settleWithin(
  slots: readonly WholeSlot[],
  amount: bigint,
  risk: number,
  groups: readonly UnitGroup[],
): readonly bigint[] | undefined {
  const shares = slots.map((slot) => newShare(slot, risk))
  const near = shares.map(({ units }) => units)
  if (settleByWorth(shares, amount, groups)) return shares.map(({ units }) => units)
  const fitted = fitUnits({ slots, groups, amount }, near)
  return fitted.kind === 'packed' ? fitted.units : undefined
}

/** Takes from groups that are beyond their cap, and gives what is missing where a unit is worth most. */
function settleByWorth(shares: readonly Share[], amount: bigint, groups: readonly UnitGroup[]): boolean {
  const slots = shares.map(({ slot }) => slot)
  const unitsOf = () => shares.map(({ units }) => units)
  for (const group of groups) {
    const { members } = group
    let excess = -(roomIn(slots, unitsOf(), [group])[0] ?? 0n)
    for (const share of shares) {
      if (excess <= 0n || !members.has(share.slot.curve)) continue
      const given = smaller(excess, share.units - share.slot.least)
      share.units -= given
      excess -= given
    }
    if (excess > 0n) return false
  }
  let missing = amount - shares.reduce((sum, { units }) => sum + units, 0n)
  for (let steps = 0; missing !== 0n && steps <= 2 * shares.length; steps++) {
    const room = roomIn(slots, unitsOf(), groups)
    const moved = missing > 0n ? addTo(shares, groups, room, missing) : -takeFrom(shares, -missing)
    if (moved === 0n) return false
    missing -= moved
  }
  return missing === 0n
}

function addTo(
  shares: readonly Share[],
  groups: readonly UnitGroup[],
  room: readonly bigint[],
  missing: bigint,
): bigint {
  let best: { readonly share: Share; readonly most: bigint; readonly worth: bigint } | undefined
  for (const share of shares) {
    const { curve, most: bound } = share.slot
    const most = groups.reduce(
      (least, { members }, index) => (members.has(curve) ? smaller(least, room[index] ?? 0n) : least),
      smaller(bound - share.units, missing),
    )
    if (most <= 0n) continue
    const worth = share.worthOf(share.units, 1n)
    if (!best || worth > best.worth) best = { share, most, worth }
  }
  if (!best) return 0n
  best.share.units += best.most
  return best.most
}

function takeFrom(shares: readonly Share[], excess: bigint): bigint {
  for (const share of shares) {
    const given = smaller(excess, share.units - share.slot.least)
    if (given <= 0n) continue
    share.units -= given
    return given
  }
  return 0n
}
