import { smaller } from '../amount.ts'
import { compoundYearly } from '../network/year.ts'
import { type Existing, type Field, type FieldTerms, prepareField } from './allocation-field.ts'
import { type Explanation, explainAllocation } from './explain-allocation.ts'
import { checkNamed } from './named-validators.ts'
import { compareIds } from './scoring/score.ts'
import { shareRoom } from './shares/share-room.ts'
import type { Split } from './solver/best-split.ts'
import { findCappedSplit } from './solver/capped/capped-split.ts'
import { splitIntoCappedUnits } from './solver/capped/capped-units.ts'
import { type Certificate, certify } from './solver/certificate.ts'
import { gainOf, type RewardCurve, rewardOf } from './solver/reward-curve.ts'
import { findSplitWithOneOf } from './solver/split-with-one-of.ts'
import type { WholeSlot } from './solver/unit-worth.ts'
import {
  belowSmallestStake,
  heldBack,
  needsOneTransaction,
  RISK_AVERSION,
  refusedLimit,
  type StakeLimits,
} from './stake-limits.ts'
import type { StakeOptions } from './stake-options.ts'
import type { Place, StakedPart } from './staked-part.ts'

export type AllocationRequest = StakeLimits & {
  readonly amount: bigint
  readonly maxValidators: number
  /** What is staked already: it stays where it is, and the whole is optimised. */
  readonly existing?: Existing
  /** The principal of `existing`, without rewards; left out: there are no rewards. */
  readonly principals?: Existing
  readonly explain?: boolean
}

export type Allocation = {
  /** The largest first. */
  readonly allocations: readonly AllocatedStake[]
  /** Percent, after the dilution that this stake causes. */
  readonly totalProjectedApy: number
  /** The part that stays unstaked for `keepLiquid`. */
  readonly heldBack: bigint
  readonly certificate: Certificate
  readonly explanation: Explanation | undefined
}

export type AllocatedStake = {
  readonly validatorId: string
  readonly amount: bigint
  readonly weight: number
  /** Percent, with this stake in the pool. */
  readonly apy: number
}

const NOTHING: Existing = new Map()
/** An id that no validator has: its room is that of a validator without stake of the caller. */
const NEW_PLACE = ''

/** Prepares what all requests of a snapshot share. */
export function allocator(
  market: StakeOptions,
  fieldFor = prepareField(market),
): (request: AllocationRequest) => Allocation {
  return (request) => {
    checkNamed(market, request)
    const terms = termsOf(market, request)
    return allocateIn(market, fieldFor(terms), terms, request)
  }
}

export function termsOf(market: StakeOptions, request: AllocationRequest): FieldTerms {
  const { existing = NOTHING, principals, riskAversion = RISK_AVERSION.default } = request
  const amount = request.amount - heldBack(market, request.keepLiquid)
  if (amount < market.minStake) {
    throw request.amount < market.minStake
      ? belowSmallestStake(market.minStake)
      : refusedLimit('keepLiquid', `leaves less than ${market.minStake}, the network's smallest stake.`)
  }
  const { mostStaked } = request
  if (mostStaked !== undefined && needsOneTransaction(request) && amount > mostStaked)
    throw aboveTransactionLimit(mostStaked)
  let total = amount
  for (const staked of existing.values()) total += staked
  const roomOf = shareRoom(request, amount, { existing, principals })
  const risk = riskAversion / Number(total)
  return { limits: request, existing, amount, total, roomOf, mustAdd: mustAddRule(request), risk }
}

/**
 * A policy's `minValidators`: while the caller holds stake with fewer, a split must include a validator that has
 * none yet.
 */
function mustAddRule({ fewest = 0, existing = NOTHING, principals = existing }: AllocationRequest) {
  const held = new Set([...principals].flatMap(([id, amount]) => (amount > 0n ? [id] : [])))
  return held.size > 0 && held.size < fewest ? (validatorId: string) => !held.has(validatorId) : undefined
}

function allocateIn(
  market: StakeOptions,
  field: Field,
  terms: FieldTerms,
  request: AllocationRequest,
): Allocation {
  const { amount, risk } = terms
  const { maxValidators } = request
  const { split, limits, maxChosen } = splitIn(market, field, terms, request)
  const stakes = split && toWholeUnits(split, field, terms, market.minStake)
  if (!stakes) throw noSplit(terms)
  const { places } = field
  const { price } = split
  const reached = stakes.reduce((sum, stake) => sum + gainOf(stake.curve, risk, stake.amount), 0)
  return {
    ...describe(market, stakes, Number(amount)),
    heldBack: request.amount - amount,
    certificate: certify(reached, split, Number(amount)),
    explanation: request.explain
      ? explainAllocation({ market, places, stakes, risk, price, limits, maxChosen, maxValidators })
      : undefined,
  }
}

function splitIn(market: StakeOptions, field: Field, terms: FieldTerms, request: AllocationRequest) {
  const { amount, risk } = terms
  const most = terms.roomOf(NEW_PLACE)
  const maxChosen = countFor(market, terms, field, { maxValidators: request.maxValidators, most })
  const limits = { least: Number(market.minStake), most: Number(smaller(most, amount)) }
  const problem = { amount: Number(amount), risk, choices: field.curves, ...limits, maxChosen, free: [] }
  const others = curvesToAdd(field, terms)
  const split = others
    ? findSplitWithOneOf(problem, field.groups, others)
    : findCappedSplit(problem, field.groups)
  return { split, limits, maxChosen }
}

const curvesToAdd = ({ places }: Field, { mustAdd }: FieldTerms): ReadonlySet<RewardCurve> | undefined =>
  mustAdd && new Set(places.flatMap(({ option, curve }) => (mustAdd(option.validatorId) ? [curve] : [])))

/** The number of validators and the APY of the best split, computed in floats only. */
export function sketchAllocation(
  market: StakeOptions,
  field: Field,
  terms: FieldTerms,
  request: AllocationRequest,
): { readonly validators: number; readonly apy: number } {
  const { split } = splitIn(market, field, terms, request)
  if (!split) throw noSplit(terms)
  const total = Number(terms.amount)
  let apy = 0
  for (const { curve, amount } of split.parts) {
    const place = field.places[field.curves.indexOf(curve)]
    if (place) apy += (amount / total) * apyWith(market, place, amount)
  }
  return { validators: split.parts.length, apy }
}

/** The largest number of validators that the split may use; throws where the amount cannot be split at all. */
function countFor(
  { minStake }: StakeOptions,
  { amount, existing, limits }: FieldTerms,
  { places }: Field,
  { maxValidators, most }: { readonly maxValidators: number; readonly most: bigint },
): number {
  const affordable = amount / minStake < BigInt(maxValidators) ? Number(amount / minStake) : maxValidators
  const count = Math.min(affordable, places.length)
  if (existing.size > 0 || (most >= minStake && most * BigInt(count) >= amount)) return count
  const couldBeMore = count === maxValidators && count < places.length && BigInt(count) < amount / minStake
  const more = couldBeMore ? ', or `maxValidators` higher' : ''
  if (most === limits.mostStaked) throw aboveTransactionLimit(most * BigInt(count))
  throw refusedLimit(
    'maxShare',
    `is too small: the amount can go to ${count} validator${count === 1 ? '' : 's'} at most, so it must be at least ${1 / count}${more}.`,
  )
}

const aboveTransactionLimit = (most: bigint) =>
  refusedLimit(
    'amount',
    `must be at most ${most}, because the policy of this agent limits what one transaction stakes (maxPerTx). Build that much, then ask again for the rest with \`owner\`.`,
  )

function noSplit({ limits: { groups = [] }, mustAdd }: FieldTerms) {
  if (mustAdd)
    return refusedLimit(
      'amount',
      'cannot be staked: stake lies with fewer validators than the policy of this agent asks for (minValidators), so another one must get a part, and the other limits leave no room for that. Loosen them, or raise `maxValidators`.',
    )
  return groups.length > 0
    ? refusedLimit('groups', 'leave too little room for this amount; raise their maxShare or maxValidators.')
    : refusedLimit('maxShare', 'is too small for this amount; raise it or leave it out.')
}

/** Turns the float split into exact units; the largest first. */
function toWholeUnits(
  { parts }: Split,
  { places, curves, groups }: Field,
  { amount, risk, roomOf }: FieldTerms,
  least: bigint,
): readonly StakedPart[] | undefined {
  const chosen: Place[] = []
  const slots: WholeSlot[] = []
  for (const { curve, amount: near } of parts) {
    const place = places[curves.indexOf(curve)]
    if (!place) continue
    const { option, held } = place
    const others = option.stake > held ? option.stake - held : 1n
    chosen.push(place)
    slots.push({ curve, stake: others + held, least, most: roomOf(option.validatorId), near })
  }
  const units = splitIntoCappedUnits(slots, amount, risk, groups)
  return units && chosen.map((place, index) => stakeIn(place, units[index] ?? 0n)).sort(byAmount)
}

const stakeIn = (place: Place, units: bigint): StakedPart => ({ ...place, units, amount: Number(units) })

/** The largest first; equals in the order of their ids. */
function byAmount(a: StakedPart, b: StakedPart): number {
  if (a.units === b.units) return compareIds(a.option.validatorId, b.option.validatorId)
  return a.units < b.units ? 1 : -1
}

/** APY in percent of the caller's whole holding at a place after an amount is added. */
function apyWith({ pool }: StakeOptions, { base, held }: Place, amount: number): number {
  const whole = Number(held) + amount
  return 100 * compoundYearly(rewardOf(base, whole) / whole, pool.epochsPerYear)
}

function describe(market: StakeOptions, stakes: readonly StakedPart[], total: number) {
  const allocations = stakes.map((stake) => ({
    validatorId: stake.option.validatorId,
    amount: stake.units,
    weight: stake.amount / total,
    apy: apyWith(market, stake, stake.amount),
  }))
  const totalProjectedApy = allocations.reduce((sum, { weight, apy }) => sum + weight * apy, 0)
  return { allocations, totalProjectedApy }
}
