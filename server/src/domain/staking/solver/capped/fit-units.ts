import { smaller } from '../../../amount.ts'
import type { WholeSlot } from '../unit-worth.ts'
import { mostWithin } from './most-within.ts'
import { roomIn, type UnitGroup } from './unit-groups.ts'

type Units = {
  readonly slots: readonly WholeSlot[]
  readonly groups: readonly UnitGroup[]
  readonly amount: bigint
}

/** A round leaves a billionth of what is to be moved. */
const MAX_ROUNDS = 4

/**
 * Whole units near those given that keep every cap and lack at most a unit per slot of the amount. Where groups overlap,
 * a unit more in one slot may need a unit less in another: a small linear program says how many move. `spare` units are
 * left in every group, for those that still lack.
 */
export function fitUnits(
  { slots, groups, amount }: Units,
  near: readonly bigint[],
  spare: bigint,
): readonly bigint[] | undefined {
  let units = near
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = units.reduce((left, part) => left - part, amount)
    const rooms = roomIn(slots, units, groups).map((room) => room - spare)
    const isWithin = rooms.every((room) => room >= 0n)
    if (isWithin && missing >= 0n && missing <= slots.length) return units
    const wrong = rooms.reduce(
      (sum, room) => (room < 0n ? sum - room : sum),
      missing < 0n ? -missing : missing,
    )
    const reach = 4n * (wrong + BigInt(slots.length))
    const moves = units.map((part, at) => {
      const { least = 0n, most = 0n } = slots[at] ?? {}
      return { down: smaller(reach, part - least), up: smaller(reach, most - part) }
    })
    units = moved(units, { slots, groups }, { moves, rooms, missing })
  }
  return undefined
}

type Wanted = {
  readonly moves: readonly { readonly down: bigint; readonly up: bigint }[]
  readonly rooms: readonly bigint[]
  readonly missing: bigint
}

/** The program counts from the lowest units that each slot may have, so that no amount is below 0. */
function moved(
  units: readonly bigint[],
  { slots, groups }: Pick<Units, 'slots' | 'groups'>,
  { moves, rooms, missing }: Wanted,
): readonly bigint[] {
  const downIn = (counts: (at: number) => boolean): bigint =>
    moves.reduce((sum, { down }, at) => (counts(at) ? sum + down : sum), 0n)
  const caps = groups.map(({ members }, index) => {
    const inside = new Set(slots.flatMap(({ curve }, at) => (members.has(curve) ? [at] : [])))
    return { members: inside, most: Number((rooms[index] ?? 0n) + downIn((at) => inside.has(at))) }
  })
  const all = { members: new Set(slots.keys()), most: Number(missing + downIn(() => true)) }
  const amounts = mostWithin({ bounds: moves.map(({ down, up }) => Number(down + up)), caps: [...caps, all] })
  return units.map((part, at) => part - (moves[at]?.down ?? 0n) + BigInt(Math.floor(amounts[at] ?? 0)))
}
