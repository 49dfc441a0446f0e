import { larger, smaller } from '../../../../amount.ts'
import type { WholeSlot } from '../../unit-worth.ts'
import type { SearchWork } from '../search-work.ts'
import { newWorkLimit, type Packed, packUnits } from './pack-units.ts'
import { roomIn, type UnitGroup } from './unit-groups.ts'

type Units = {
  readonly slots: readonly WholeSlot[]
  readonly groups: readonly UnitGroup[]
  readonly amount: bigint
}

/** The reach grows by this factor until it contains a solution. */
const REACH_GROWTH = 64n

/**
 * Whole units that add up to the amount and keep every cap, searched in a growing range around `near`; or the proof
 * that there are none. With overlapping groups, a unit more in one slot may need a unit less in another.
 */
export function fitUnits(
  { slots, groups, amount }: Units,
  near: readonly bigint[],
  left: SearchWork = newWorkLimit(),
): Packed {
  const caps = groups.map(({ members, units }) => ({
    members: new Set(slots.flatMap(({ curve }, at) => (members.has(curve) ? [at] : []))),
    most: units,
  }))
  const missing = near.reduce((left, units) => left - units, amount)
  const wrong = roomIn(slots, near, groups).reduce(
    (most, room) => larger(most, -room),
    larger(missing, -missing),
  )
  for (let reach = 4n * (wrong + BigInt(slots.length)); ; reach *= REACH_GROWTH) {
    const lows = slots.map(({ least }, at) => larger(least, (near[at] ?? 0n) - reach))
    const highs = slots.map(({ most }, at) => smaller(most, (near[at] ?? 0n) + reach))
    const packed = packBetween({ lows, highs }, caps, amount, left)
    if (packed.kind !== 'none' || reach > amount) return packed
  }
}

type Caps = Parameters<typeof packUnits>[0]['caps']
type Ranges = { readonly lows: readonly bigint[]; readonly highs: readonly bigint[] }

/** Shifts the ranges so that each begins at 0, as `packUnits` needs it. */
function packBetween({ lows, highs }: Ranges, caps: Caps, amount: bigint, work: SearchWork): Packed {
  const bounds = highs.map((high, at) => high - (lows[at] ?? 0n))
  const left = caps.map(({ members, most }) => ({
    members,
    most: [...members].reduce((room, at) => room - (lows[at] ?? 0n), most),
  }))
  const wanted = lows.reduce((rest, low) => rest - low, amount)
  const isBeyond = wanted < 0n || [...bounds, ...left.map(({ most }) => most)].some((room) => room < 0n)
  if (isBeyond) return { kind: 'none' }
  const packed = packUnits({ bounds, caps: left }, wanted, work)
  if (packed.kind !== 'packed') return packed
  return { kind: 'packed', units: packed.units.map((units, at) => units + (lows[at] ?? 0n)) }
}
