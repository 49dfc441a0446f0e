import { Fault } from '../../fault.ts'
import type { GroupCap } from './solver/capped/capped-split.ts'
import { arriveOnTop, byEntry, type RewardCurve, rewardCurve } from './solver/reward-curve.ts'
import { mayReceive, refusedLimit, type StakeLimits, shareOf } from './stake-limits.ts'
import { curveAt, type StakeOption, type StakeOptions } from './stake-options.ts'
import type { Place } from './staked-part.ts'

/** What the caller has staked already, rewards included, by validator. */
export type Existing = ReadonlyMap<string, bigint>

/** The validators that may be chosen, and their curves once more, as the search wants them. */
export type Field = {
  readonly places: readonly Place[]
  readonly curves: readonly RewardCurve[]
  readonly groups: readonly (GroupCap & { readonly units: bigint })[]
}

export type FieldTerms = {
  readonly limits: StakeLimits
  readonly existing: Existing
  /** What is to be staked, and that with everything staked already. */
  readonly amount: bigint
  readonly total: bigint
  readonly risk: number
}

/** Prepared once per snapshot: the places of every validator that may be recommended, by the worth of a first unit. */
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
  const unlimited = fieldOf(prepared, [])
  const isEqualPay = pool.shape.kind === 'equal-share'

  return (terms) => {
    const { limits, existing, amount } = terms
    // With equal pay, the network's total stake plays no part: the curves are the same for every amount.
    if (isEqualPay && existing.size === 0 && !isLimited(limits) && prepared.length > 0) return unlimited
    const allowed = mayReceive(limits)
    const full = fullGroups(market, terms)
    const candidates = prepared.filter(({ option }) => allowed(option) && !full.has(option.validatorId))
    const totalStake = pool.totalStake + Number(amount)
    const diluted = isEqualPay ? candidates : candidates.map(({ option }) => placeAt(option, totalStake))
    const places = existing.size === 0 ? diluted : onTopOf(market, terms, diluted, totalStake)
    if (places.length === 0) throw noPlace(limits)
    return fieldOf(places, groupsOf(terms, places))
  }
}

const byCurve = (a: Place, b: Place): number => byEntry(a.curve, b.curve)

const fieldOf = (places: readonly Place[], groups: Field['groups']): Field => ({
  places,
  curves: places.map(({ curve }) => curve),
  groups,
})

const isLimited = (limits: StakeLimits) => {
  const { visible = Infinity, exclude, closed, minScore = 0, maxCommission = 1, groups } = limits
  return (
    visible !== Infinity ||
    [exclude, closed].some((ids) => ids !== undefined && ids.size > 0) ||
    minScore > 0 ||
    maxCommission < 1 ||
    (groups !== undefined && groups.length > 0)
  )
}

/** Where the caller holds stake, what is added meets it; a validator that holds its share already gets nothing. */
function onTopOf(
  { pool, minStake }: StakeOptions,
  { existing, risk, limits, total }: FieldTerms,
  places: readonly Place[],
  totalStake: number,
): readonly Place[] {
  const share = shareOf(total, limits.maxShare ?? 1)
  const untouched: Place[] = []
  const held: Place[] = []
  for (const place of places) {
    const { option } = place
    const staked = existing.get(option.validatorId)
    if (staked === undefined) {
      untouched.push(place)
      continue
    }
    const cap = share - staked
    if (cap < minStake) continue
    const base = curveAt(pool, option, Number(option.stake - staked), totalStake)
    const curve = rewardCurve({ ...arriveOnTop(base, Number(staked), 1, risk), cap: Number(cap) })
    held.push({ option, base, curve, held: staked })
  }
  return merge(untouched, held.sort(byCurve))
}

/** Two lists in order as one: sorting all of them anew would take longer than the whole search. */
function merge(many: readonly Place[], few: readonly Place[]): readonly Place[] {
  const merged: Place[] = []
  let next = 0
  for (const place of many) {
    for (let one = few[next]; one && byCurve(one, place) < 0; one = few[++next]) merged.push(one)
    merged.push(place)
  }
  return merged.concat(few.slice(next))
}

/** What each group may still get. */
const roomOf = (
  { existing, total }: FieldTerms,
  { maxShare, validatorIds }: NonNullable<StakeLimits['groups']>[number],
): bigint => {
  let held = 0n
  for (const id of validatorIds) held += existing.get(id) ?? 0n
  return shareOf(total, maxShare) - held
}

/** Validators of groups that cannot hold another stake. */
function fullGroups({ minStake }: StakeOptions, terms: FieldTerms): ReadonlySet<string> {
  const full = new Set<string>()
  for (const group of terms.limits.groups ?? []) {
    if (roomOf(terms, group) >= minStake) continue
    for (const id of group.validatorIds) full.add(id)
  }
  return full
}

function groupsOf(terms: FieldTerms, places: readonly Place[]): Field['groups'] {
  const groups = (terms.limits.groups ?? []).map((group) => ({ group, members: new Set<RewardCurve>() }))
  if (groups.length === 0) return []
  const byId = new Map<string, Set<RewardCurve>[]>()
  for (const { group, members } of groups) {
    for (const id of group.validatorIds) byId.set(id, [...(byId.get(id) ?? []), members])
  }
  for (const { option, curve } of places) {
    for (const members of byId.get(option.validatorId) ?? []) members.add(curve)
  }
  return groups.flatMap(({ group, members }) => {
    const units = roomOf(terms, group)
    return members.size === 0 || units >= terms.amount ? [] : [{ members, most: Number(units), units }]
  })
}

/** The first limit that was set, and what to do about it. */
function noPlace({ exclude, minScore, maxCommission, groups }: StakeLimits): Fault {
  const set = [
    { field: 'exclude', isSet: exclude !== undefined && exclude.size > 0, fix: 'exclude fewer' },
    { field: 'minScore', isSet: minScore !== undefined && minScore > 0, fix: 'lower it' },
    { field: 'maxCommission', isSet: maxCommission !== undefined && maxCommission < 1, fix: 'raise it' },
    { field: 'groups', isSet: groups !== undefined && groups.length > 0, fix: 'raise their maxShare' },
  ].find(({ isSet }) => isSet)
  if (set) return refusedLimit(set.field, `leaves no validator to stake with; ${set.fix}.`)
  return new Fault(
    'store_not_ready',
    'No validator can be recommended right now. Try again in the next epoch.',
  )
}
