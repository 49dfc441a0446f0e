import { smaller } from '../../../../amount.ts'
import { splitIntoUnits } from '../../integer-split.ts'
import { newShare, type Share, type WholeSlot } from '../../unit-worth.ts'
import { fitUnits } from './fit-units.ts'
import { roomIn, type UnitGroup } from './unit-groups.ts'

/**
 * Whole units that add up to the amount and keep every group within its cap. If no cap is reached, they are optimal to
 * the unit; otherwise they are optimal up to the rounding of the floats in `near`.
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

/** The shares in a group, and the cap on their sum. */
type Inside = { readonly inside: readonly Share[]; readonly units: bigint }

const roomLeft = ({ inside, units }: Inside): bigint =>
  inside.reduce((room, share) => room - share.units, units)

/** Takes units from groups beyond their cap, then adds the missing units where a unit is worth most. */
function settleByWorth(shares: readonly Share[], amount: bigint, groups: readonly UnitGroup[]): boolean {
  const caps = groups.map(({ members, units }) => ({
    inside: shares.filter(({ slot }) => members.has(slot.curve)),
    units,
  }))
  for (const cap of caps) {
    const excess = -roomLeft(cap)
    if (excess > 0n && takeFrom(cap.inside, excess) < excess) return false
  }
  let missing = amount - shares.reduce((sum, { units }) => sum + units, 0n)
  if (missing < 0n) missing += takeFrom(shares, -missing)
  for (let steps = 0; missing > 0n && steps <= 2 * shares.length; steps++) {
    const added = addTo(shares, caps, missing)
    if (added === 0n) return false
    missing -= added
  }
  return missing === 0n
}

function addTo(shares: readonly Share[], caps: readonly Inside[], missing: bigint): bigint {
  let best: { readonly share: Share; readonly most: bigint; readonly worth: bigint } | undefined
  for (const share of shares) {
    const most = caps.reduce(
      (least, cap) => (cap.inside.includes(share) ? smaller(least, roomLeft(cap)) : least),
      smaller(share.slot.most - share.units, missing),
    )
    if (most <= 0n) continue
    const worth = share.worthOf(share.units, 1n)
    if (!best || worth > best.worth) best = { share, most, worth }
  }
  if (!best) return 0n
  best.share.units += best.most
  return best.most
}

/** Takes up to `wanted` units from the shares in order, none below its `least`. Returns the number taken. */
function takeFrom(shares: readonly Share[], wanted: bigint): bigint {
  let left = wanted
  for (const share of shares) {
    const given = smaller(left, share.units - share.slot.least)
    share.units -= given
    left -= given
  }
  return wanted - left
}
