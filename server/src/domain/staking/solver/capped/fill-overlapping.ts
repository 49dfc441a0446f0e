import { gainOf, type RewardCurve } from '../reward-curve.ts'
import { type Filling, fillSlots, type Slot } from '../water-fill.ts'
import type { GroupCap } from './group-caps.ts'
import { mostWithin } from './most-within.ts'

/** Slots with the same groups; only their total matters to the caps. */
export type Kind = { readonly groups: readonly GroupCap[]; readonly slots: readonly Slot[] }

type Overlap = {
  readonly kinds: readonly Kind[]
  readonly groups: readonly GroupCap[]
  readonly amount: number
}

/** By the groups that a slot is in. */
export function kindsOf(
  slots: readonly Slot[],
  groupsOf: (curve: RewardCurve) => readonly GroupCap[],
  groups: readonly GroupCap[],
): readonly Kind[] {
  const kinds = new Map<string, { readonly groups: readonly GroupCap[]; readonly slots: Slot[] }>()
  for (const slot of slots) {
    const own = groupsOf(slot.curve)
    const name = own.map((group) => groups.indexOf(group)).join()
    const kind = kinds.get(name)
    if (kind) kind.slots.push(slot)
    else kinds.set(name, { groups: own, slots: [slot] })
  }
  return [...kinds.values()]
}

/** A feasible total for each kind within all caps, by linear programming; undefined when there is none. */
export function placeAmount({ kinds, groups, amount }: Overlap): readonly number[] | undefined {
  const least = kinds.map(({ slots }) => sumOf(slots, (slot) => slot.least))
  const missing = amount - least.reduce((sum, part) => sum + part, 0)
  const rounding = 1e-12 * amount
  if (missing < -rounding) return undefined
  const caps = groups.map((group) => {
    const members = new Set(kinds.keys().filter((at) => kinds[at]?.groups.includes(group)))
    return { members, most: [...members].reduce((room, at) => room - (least[at] ?? 0), group.most) }
  })
  if (caps.some(({ most }) => most < -rounding)) return undefined
  const bounds = kinds.map(({ slots }, at) =>
    Math.min(Math.max(0, missing), sumOf(slots, (slot) => slot.most) - (least[at] ?? 0)),
  )
  const more = mostWithin({ bounds, caps })
  const room = more.reduce((sum, part) => sum + part, 0)
  if (room < missing - 1e-9 * amount) return undefined
  const part = room > 0 ? missing / room : 0
  return kinds.map((_, at) => (least[at] ?? 0) + part * (more[at] ?? 0))
}

/**
 * Fills all slots within caps of groups that overlap, wherever there is a way. Starts with any way, and shifts between
 * two kinds at a time what is worth more in the other: what is left undone shows in the gap.
 */
export function fillOverlapping(
  overlap: Overlap,
  risk: number,
  guess: number,
):
  | { readonly amounts: ReadonlyMap<RewardCurve, number>; readonly value: number; readonly price: number }
  | undefined {
  const start = placeAmount(overlap)
  if (!start) return undefined
  const { kinds } = overlap
  const fillKind = (at: number, amount: number): Filling | undefined =>
    fillSlots(kinds[at]?.slots ?? [], amount, risk, guess)
  const parts = [...start]
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    const gained = kinds.keys().reduce((sum, from) => sum + shiftFrom(overlap, parts, from, fillKind), 0)
    if (gained <= 0) break
  }
  const amounts = new Map<RewardCurve, number>()
  let [value, price] = [0, Number.POSITIVE_INFINITY]
  for (const [at, { slots }] of kinds.entries()) {
    const filling = fillKind(at, parts[at] ?? 0)
    if (!filling) return undefined
    price = Math.min(price, filling.price)
    for (const [index, { curve }] of slots.entries()) {
      const amount = filling.amounts[index] ?? 0
      amounts.set(curve, amount)
      value += gainOf(curve, risk, amount)
    }
  }
  return { amounts, value, price }
}

const MAX_SWEEPS = 40
const HALVINGS = 40

/** Shifts stake from one kind to each other kind while that gains, and returns the gain. */
function shiftFrom(
  { kinds, groups }: Overlap,
  parts: number[],
  from: number,
  fillKind: (at: number, amount: number) => Filling | undefined,
): number {
  let gained = 0
  for (const to of kinds.keys()) {
    if (to === from) continue
    const [here, there] = [parts[from] ?? 0, parts[to] ?? 0]
    const valueAt = (shift: number): number =>
      (fillKind(from, here - shift)?.value ?? Number.NEGATIVE_INFINITY) +
      (fillKind(to, there + shift)?.value ?? Number.NEGATIVE_INFINITY)
    const most = roomFor(kinds, groups, parts, from, to)
    if (!(most > 0)) continue
    const shift = bestShift(valueAt, most)
    const gain = valueAt(shift) - valueAt(0)
    if (!(gain > 1e-12 * Math.abs(valueAt(0)))) continue
    parts[from] = here - shift
    parts[to] = there + shift
    gained += gain
  }
  return gained
}

/** The most that may shift from one kind to another, by their bounds and the groups that only the receiver is in. */
function roomFor(
  kinds: readonly Kind[],
  groups: readonly GroupCap[],
  parts: readonly number[],
  from: number,
  to: number,
): number {
  const [source, target] = [kinds[from], kinds[to]]
  if (!source || !target) return 0
  const spare = (parts[from] ?? 0) - sumOf(source.slots, (slot) => slot.least)
  const room = sumOf(target.slots, (slot) => slot.most) - (parts[to] ?? 0)
  return groups.reduce(
    (least, group) => {
      if (!target.groups.includes(group) || source.groups.includes(group)) return least
      const used = kinds.reduce(
        (sum, kind, at) => (kind.groups.includes(group) ? sum + (parts[at] ?? 0) : sum),
        0,
      )
      return Math.min(least, group.most - used)
    },
    Math.min(spare, room),
  )
}

/** The value is concave in the shift, so bisection on its slope finds the maximum. */
function bestShift(valueAt: (shift: number) => number, most: number): number {
  let [low, high] = [0, most]
  for (let step = 0; step < HALVINGS; step++) {
    const third = (high - low) / 3
    if (valueAt(low + third) < valueAt(high - third)) low += third
    else high -= third
  }
  return [0, (low + high) / 2, most].reduce((best, shift) => (valueAt(shift) > valueAt(best) ? shift : best))
}

const sumOf = (slots: readonly Slot[], figure: (slot: Slot) => number): number =>
  slots.reduce((sum, slot) => sum + figure(slot), 0)
