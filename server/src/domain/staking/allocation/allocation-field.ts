import { Fault, wrongField } from '../../../fault.ts'
import type { GroupCap } from '../solver/capped/capped-split.ts'
import { arriveOnTop, byEntry, type RewardCurve } from '../solver/reward-curve.ts'
import { canReceiveStake, type StakeGroup, type StakeLimits, shareOf } from '../stake-limits.ts'
import { curveAt, type StakeOption, type StakeOptions } from '../stake-options.ts'
import type { Place } from '../staked-part.ts'

/** The stake that the caller already has, rewards included, by validator. */
export type Existing = ReadonlyMap<string, bigint>

/**
 * The eligible validators of one request. `curves` has the curve of each place, in the same order, for the solver.
 */
export type Field = {
  readonly places: readonly Place[]
  readonly curves: readonly RewardCurve[]
  readonly groups: readonly (GroupCap & { readonly units: bigint })[]
}

export type FieldTerms = {
  readonly limits: StakeLimits
  readonly existing: Existing
  /** The amount to be staked; `total` adds everything that is staked already. */
  readonly amount: bigint
  readonly total: bigint
  /** The part of the asked amount that stays unstaked for `keepLiquid`. */
  readonly kept: bigint
  /** The most that a validator may get. */
  readonly roomOf: (validatorId: string) => bigint
  /** At least one validator for which this holds must be chosen; undefined: no such rule. */
  readonly mustAdd: ((validatorId: string) => boolean) | undefined
  readonly risk: number
}

/** Prepared once per snapshot: the places of all eligible validators, sorted by the worth of the first unit. */
export function prepareField(market: StakeOptions): (terms: FieldTerms) => Field {
  const { pool } = market
  const placeAt = (option: StakeOption, totalStake: number): Place => {
    const base = curveAt(pool, option, Number(option.stake), totalStake)
    return { option, base, curve: base, held: 0n }
  }
  const prepared = market.options
    .filter(({ eligible }) => eligible)
    .map((option) => placeAt(option, pool.totalStake))
    .toSorted(byCurve)
  const indexOf = new Map(prepared.map(({ option }, index) => [option.validatorId, index]))
  const unlimited = { places: prepared, curves: prepared.map(({ curve }) => curve), groups: [] }
  const isEqualPay = pool.shape.kind === 'equal-share'

  return (terms) => {
    const { limits, existing, amount } = terms
    const isOpen = existing.size === 0 && !excludesValidators(limits) && (limits.groups ?? []).length === 0
    // With equal pay, the network's total stake plays no part: the curves are the same for every amount.
    if (isEqualPay && isOpen && prepared.length > 0) return unlimited
    const totalStake = pool.totalStake + Number(amount)
    const line = isEqualPay
      ? prepared.slice()
      : prepared.map(({ option }): Place | undefined => placeAt(option, totalStake))
    const groups = roomInGroups(terms)
    closePlaces({ line, indexOf }, limits, groups, market.minStake)
    if (line.every((place) => place === undefined)) throw noValidatorAllowed(limits)
    const held = shiftHeldCurves({ line, indexOf }, market, terms, totalStake)
    const places = merge(line, held)
    if (places.length === 0) throw shareReachedEverywhere()
    const curves = places.map(({ curve }) => curve)
    return { places, curves, groups: groupCaps({ line, indexOf }, groups, amount) }
  }
}

/** All places by entry rate, undefined once closed, and the index of each validator. */
type Line = {
  readonly line: (Place | undefined)[]
  readonly indexOf: ReadonlyMap<string, number>
}

const byCurve = (a: Place, b: Place): number => byEntry(a.curve, b.curve)

/** Whether any limit excludes single validators. */
function excludesValidators({
  visible,
  exclude,
  closed,
  minScore = 0,
  maxCommission = 1,
}: StakeLimits): boolean {
  const isNamed = (exclude?.size ?? 0) > 0 || (closed?.size ?? 0) > 0
  return (visible ?? Infinity) < Infinity || isNamed || minScore > 0 || maxCommission < 1
}

type GroupRoom = { readonly group: StakeGroup; readonly units: bigint }

/** The amount that each group may still receive. */
function roomInGroups({ existing, total, limits: { groups = [] } }: FieldTerms): readonly GroupRoom[] {
  const rooms = groups.map((group) => ({ group, units: shareOf(total, group.maxShare) }))
  for (const [id, staked] of existing) {
    for (const room of rooms) if (room.group.validatorIds.has(id)) room.units -= staked
  }
  return rooms
}

/** Closes the places that the limits do not allow, and the members of groups that cannot hold another stake. */
function closePlaces(
  { line, indexOf }: Line,
  limits: StakeLimits,
  groups: readonly GroupRoom[],
  minStake: bigint,
): void {
  if (excludesValidators(limits)) {
    const allowed = canReceiveStake(limits)
    for (const [index, place] of line.entries()) {
      if (place && !allowed(place.option)) line[index] = undefined
    }
  }
  for (const { group, units } of groups) {
    if (units >= minStake) continue
    for (const id of group.validatorIds) {
      const index = indexOf.get(id)
      if (index !== undefined) line[index] = undefined
    }
  }
}

/**
 * Shifts the curves of validators where the caller already has stake: new stake comes on top of it. Closes a validator
 * whose remaining room is below the smallest stake.
 */
function shiftHeldCurves(
  { line, indexOf }: Line,
  { pool, minStake }: StakeOptions,
  { existing, risk, roomOf }: FieldTerms,
  totalStake: number,
): readonly Place[] {
  const held: Place[] = []
  for (const [id, staked] of existing) {
    const index = indexOf.get(id)
    const option = index === undefined ? undefined : line[index]?.option
    if (index === undefined || !option) continue
    line[index] = undefined
    const cap = roomOf(id)
    if (cap < minStake) continue
    const base = curveAt(pool, option, Number(option.stake - staked), totalStake)
    const curve = arriveOnTop(base, Number(staked), { arrival: 1, risk, cap: Number(cap) })
    const place = { option, base, curve, held: staked }
    line[index] = place
    held.push(place)
  }
  return held.sort(byCurve)
}

/** Merges two lists that are sorted by entry rate; sorting everything again would take longer than the search. */
function merge(line: readonly (Place | undefined)[], held: readonly Place[]): readonly Place[] {
  const places: Place[] = []
  let next = 0
  for (const place of line) {
    if (!place || place.curve !== place.base) continue
    for (let one = held[next]; one && byCurve(one, place) < 0; one = held[++next]) places.push(one)
    places.push(place)
  }
  for (let one = held[next]; one; one = held[++next]) places.push(one)
  return places
}

/** The caps of the groups. A group with room for the whole amount is left out, because it cannot bind. */
function groupCaps({ line, indexOf }: Line, groups: readonly GroupRoom[], amount: bigint): Field['groups'] {
  const caps: { members: Set<RewardCurve>; most: number; units: bigint }[] = []
  for (const { group, units } of groups) {
    if (units >= amount) continue
    const members = new Set<RewardCurve>()
    for (const id of group.validatorIds) {
      const index = indexOf.get(id)
      const place = index === undefined ? undefined : line[index]
      if (place) members.add(place.curve)
    }
    if (members.size > 0) caps.push({ members, most: Number(units), units })
  }
  return caps
}

const shareReachedEverywhere = (): Fault =>
  wrongField('maxShare', 'is reached with every validator that may receive stake', {
    instead: 'raise it or leave it out',
  })

/** Names the first limit that was set, and how to loosen it. */
function noValidatorAllowed({ exclude, minScore, maxCommission, groups, visible }: StakeLimits): Fault {
  const set = [
    { field: 'exclude', isSet: exclude !== undefined && exclude.size > 0, instead: 'exclude fewer' },
    { field: 'minScore', isSet: minScore !== undefined && minScore > 0, instead: 'lower it' },
    { field: 'maxCommission', isSet: maxCommission !== undefined && maxCommission < 1, instead: 'raise it' },
    { field: 'groups', isSet: groups !== undefined && groups.length > 0, instead: 'raise their `maxShare`' },
  ].find(({ isSet }) => isSet)
  const among =
    visible !== undefined && Number.isFinite(visible)
      ? ` (the tier of this key chooses among the ${visible} best by score)`
      : ''
  if (set)
    return wrongField(set.field, 'leaves no validator to stake with', { instead: `${set.instead}${among}` })
  return new Fault(
    'store_not_ready',
    'No validator can be recommended right now. Try again in the next epoch.',
  )
}
