import { smaller } from '../../../../amount.ts'
import { newSearchWork, type SearchWork } from '../search-work.ts'
import { type Fractions, mostWithin, type Rooms } from './most-within.ts'

/** `none`: proven impossible. `open`: the work limit ended the search. */
export type Packed =
  | { readonly kind: 'packed'; readonly units: readonly bigint[] }
  | { readonly kind: 'none' | 'open' }

/**
 * The default limit: about 0.25 seconds of work. The search always terminates because the ranges are finite, but
 * contrived groups could make it very long.
 */
export const newWorkLimit = (): SearchWork => newSearchWork(600_000)

/**
 * Whole units within the bounds and caps that add up to the amount, or the proof that there are none: branch and bound
 * over the linear relaxation. Overlapping groups may hold an amount in fractions but not in whole units. So if the
 * truncated fractions add up to too little, the search branches on a fractional amount: rounded down, and rounded up.
 */
export function packUnits(rooms: Rooms, amount: bigint, left = newWorkLimit()): Packed {
  const waiting: Part[] = [{ lows: rooms.bounds.map(() => 0n), highs: rooms.bounds }]
  while (left.units > 0) {
    const part = waiting.pop()
    if (!part) return { kind: 'none' }
    const best = mostIn(rooms, part)
    left.units -= best?.work ?? 0
    if (!best || sum(best.amounts) < amount * best.under) continue
    const units = fillTruncated(
      rooms,
      best.amounts.map((over) => over / best.under),
    )
    if (sum(units) >= amount) return { kind: 'packed', units: withoutExcess(units, amount) }
    waiting.push(...branchOn(part, best))
  }
  return { kind: waiting.length === 0 ? 'none' : 'open' }
}

/** A branch: the range of each amount. */
type Part = { readonly lows: readonly bigint[]; readonly highs: readonly bigint[] }

const sum = (values: Iterable<bigint>): bigint => {
  let all = 0n
  for (const value of values) all += value
  return all
}

/** The largest sum of fractions in a part; undefined where its lowest amounts are beyond a cap. */
function mostIn({ caps }: Rooms, { lows, highs }: Part): Fractions | undefined {
  const left = caps.map(({ members, most }) => ({
    members,
    most: most - sum([...members].map((at) => lows[at] ?? 0n)),
  }))
  if (left.some(({ most }) => most < 0n)) return undefined
  const bounds = highs.map((high, at) => high - (lows[at] ?? 0n))
  const { amounts, ...most } = mostWithin({ bounds, caps: left })
  const { under } = most
  return { ...most, amounts: amounts.map((over, at) => over + (lows[at] ?? 0n) * under) }
}

/** Greedy: fills the room that truncation has left. */
function fillTruncated({ bounds, caps }: Rooms, cut: readonly bigint[]): readonly bigint[] {
  const left = caps.map(({ members, most }) => most - sum([...members].map((at) => cut[at] ?? 0n)))
  return cut.map((units, at) => {
    const room = caps.reduce(
      (least, { members }, cap) => (members.has(at) ? smaller(least, left[cap] ?? 0n) : least),
      (bounds[at] ?? 0n) - units,
    )
    for (const [cap, { members }] of caps.entries()) if (members.has(at)) left[cap] = (left[cap] ?? 0n) - room
    return units + room
  })
}

/** Removes units beyond the amount, from the last slots first. Smaller units never violate a bound or cap. */
function withoutExcess(units: readonly bigint[], amount: bigint): readonly bigint[] {
  let left = amount
  return units.map((part) => {
    const kept = smaller(part, left)
    left -= kept
    return kept
  })
}

/** Branches on the amount that is furthest from a whole number. */
function branchOn({ lows, highs }: Part, { amounts, under }: Fractions): readonly Part[] {
  const off = amounts.map((over) => smaller(over % under, under - (over % under)))
  const at = off.reduce((found, rest, index) => (rest > (off[found] ?? 0n) ? index : found), 0)
  const below = (amounts[at] ?? 0n) / under
  return [
    { lows, highs: highs.with(at, below) },
    { lows: lows.with(at, below + 1n), highs },
  ]
}
