import { MAX_AMOUNT, smaller } from '../../amount.ts'
import { compare } from '../../compare.ts'
import { checkNamed } from '../named-validators.ts'
import type { Split } from '../solver/best-split.ts'
import { type CappedSplit, findCappedSplit } from '../solver/capped/capped-split.ts'
import { newSearchWork, type SearchWork } from '../solver/capped/search-work.ts'
import { findSplitWithOneOf } from '../solver/capped/split-with-one-of.ts'
import { splitIntoCappedUnits } from '../solver/capped/units/capped-units.ts'
import { findWhole } from '../solver/capped/units/find-whole.ts'
import { newUnitCheck, type UnitCheck } from '../solver/capped/units/unit-check.ts'
import { type Certificate, certify } from '../solver/certificate.ts'
import { gainOf, type RewardCurve } from '../solver/reward-curve.ts'
import type { WholeSlot } from '../solver/unit-worth.ts'
import { MOST_VALIDATORS, needsOneTransaction, ratioOf, type StakeLimits } from '../stake-limits.ts'
import type { StakeOptions } from '../stake-options.ts'
import { apyWith, type Place, type StakedPart, yieldOfWhole } from '../staked-part.ts'
import { transactionsFor } from '../transaction-parts.ts'
import { type Field, type FieldTerms, prepareField } from './allocation-field.ts'
import { aboveTransactionLimit, noSplit, notInStakes, shareTooSmall } from './allocation-refusals.ts'
import { type AllocationRequest, mostInOne, termsOf } from './allocation-terms.ts'
import { type Explanation, explainAllocation } from './explain-allocation.ts'
import { hasRoom, inWholeStakes } from './whole-stakes.ts'

export type Allocation = {
  /** The largest first. */
  readonly allocations: readonly AllocatedStake[]
  /** Percent, over existing and new stake, after dilution by the new stake. */
  readonly totalProjectedApy: number
  /** At that rate, in smallest units. */
  readonly rewardsPerYear: bigint
  /** The fraction of the total stake with each validator. */
  readonly weights: readonly number[]
  /** The part that stays unstaked for `keepLiquid`. */
  readonly heldBack: bigint
  readonly certificate: Certificate
  readonly explanation: Explanation | undefined
}

type AllocatedStake = {
  readonly validatorId: string
  readonly amount: bigint
  /** The number of transactions that stake it, in nearly equal parts. */
  readonly transactions: number
  readonly weight: number
  /** Percent, with this stake in the pool. */
  readonly apy: number
}

/** An id that no validator has: `roomOf` returns the room of a validator without stake of the caller. */
const NEW_PLACE = ''

/** Prepares the data that all requests of a snapshot share. */
export function allocator(
  market: StakeOptions,
  fieldFor = prepareField(market),
): (request: AllocationRequest) => Allocation {
  const yieldOf = yieldOfWhole(market)
  const allocate = (request: AllocationRequest): Allocation => {
    const terms = termsOf(market, request)
    return allocateIn(market, fieldFor(terms), { ...terms, yieldOf: yieldOf(terms) }, request)
  }
  return (request) => {
    checkNamed(market, request)
    const most = mostInOne(market, request)
    if (most === undefined) return allocate(request)
    // The refusal must not suggest an amount that is refused in turn: if `most` fails, its own refusal is thrown.
    allocate({ ...request, amount: most, explain: false })
    throw aboveTransactionLimit(most)
  }
}

type YieldTerms = FieldTerms & { readonly yieldOf: ReturnType<ReturnType<typeof yieldOfWhole>> }

export const rewardsAt = (total: bigint, apy: number): bigint =>
  smaller(MAX_AMOUNT, BigInt(Math.round((Number(total) * apy) / 100)))

function allocateIn(
  market: StakeOptions,
  field: Field,
  terms: YieldTerms,
  request: AllocationRequest,
): Allocation {
  const { amount, risk } = terms
  const { maxValidators } = request
  const { split, stakes, limits, maxChosen } = wholeSplitIn(market, field, terms, request)
  const reached = stakes.reduce((sum, stake) => sum + gainOf(stake.curve, risk, stake.amount), 0)
  const totalProjectedApy = terms.yieldOf(stakes.map((place) => ({ place, amount: place.amount })))
  return {
    allocations: describe(market, stakes, request),
    totalProjectedApy,
    rewardsPerYear: rewardsAt(terms.total, totalProjectedApy),
    weights: weightsOf(terms, stakes),
    heldBack: request.amount - amount,
    certificate: certify(reached, split, Number(amount)),
    explanation: request.explain
      ? explainAllocation({ market, field, stakes, risk, split, reached, limits, maxChosen, maxValidators })
      : undefined,
  }
}

/** The best split with its whole units. A refusal says how many validators could hold the amount, if more could. */
function wholeSplitIn(market: StakeOptions, field: Field, terms: FieldTerms, request: AllocationRequest) {
  const find = (maxValidators: number) => {
    const search = searchIn(market, field, terms, maxValidators)
    const slotOf = slotsIn(field, terms, market.minStake)
    const found = findWhole(
      (check) => search.find({ work: newSearchWork(), check }),
      (split) => toWholeUnits(split, field, terms, market.minStake),
      () => newUnitCheck({ ...terms, groups: field.groups, slotOf: (curve) => slotOf(curve).slot }),
    )
    return { search, found }
  }
  const { search, found } = find(request.maxValidators)
  const { limits, maxChosen } = search
  if (found.split) return { limits, maxChosen, split: found.split, stakes: found.units }
  const mayHelp = found.isProven && request.maxValidators < MOST_VALIDATORS
  const more = mayHelp ? find(MOST_VALIDATORS).found : undefined
  const enough = more?.split && more.units.length
  throw noSplit(terms, { isProven: found.isProven, maxChosen, enough })
}

type SearchOptions = { readonly work: SearchWork; readonly check?: UnitCheck | undefined }

/** The search for the best split with at most `maxValidators` validators. */
function searchIn(market: StakeOptions, field: Field, terms: FieldTerms, maxValidators: number) {
  const { amount, risk } = terms
  const most = terms.roomOf(NEW_PLACE)
  const maxChosen = maxChosenFor(market, terms, field, { maxValidators, most })
  const limits = { least: Number(market.minStake), most: Number(smaller(most, amount)) }
  const problem = { amount: Number(amount), risk, choices: field.curves, ...limits, maxChosen, free: [] }
  const others = curvesToAdd(field, terms)
  const find = (options: SearchOptions): CappedSplit | undefined =>
    others
      ? findSplitWithOneOf(problem, field.groups, others, options)
      : findCappedSplit(problem, field.groups, options)
  return { find, limits, maxChosen }
}

const curvesToAdd = ({ places }: Field, { mustAdd }: FieldTerms): ReadonlySet<RewardCurve> | undefined =>
  mustAdd && new Set(places.flatMap(({ option, curve }) => (mustAdd(option.validatorId) ? [curve] : [])))

/** Work limit of a sketch: an answer needs many of them, and none has to be proven. */
const SKETCH_WORK = 10_000

/** The number of validators and the APY of the best split, computed in floats only. */
export function sketchAllocation(
  market: StakeOptions,
  field: Field,
  terms: YieldTerms,
  request: AllocationRequest,
): { readonly validators: number; readonly apy: number } {
  const { find, maxChosen } = searchIn(market, field, terms, request.maxValidators)
  const split = find({ work: newSearchWork(SKETCH_WORK) })
  if (!split) throw noSplit(terms, { isProven: false, maxChosen, enough: undefined })
  const additions = split.parts.flatMap(({ curve, amount }) => {
    const place = field.places[field.curves.indexOf(curve)]
    return place ? [{ place, amount }] : []
  })
  return { validators: split.parts.length, apy: terms.yieldOf(additions) }
}

/** The largest number of validators that the split may use; throws if the amount cannot be split at all. */
function maxChosenFor(
  { minStake }: StakeOptions,
  terms: FieldTerms,
  { places }: Field,
  { maxValidators, most }: { readonly maxValidators: number; readonly most: bigint },
): number {
  const { amount, existing } = terms
  const affordable = amount / minStake < BigInt(maxValidators) ? Number(amount / minStake) : maxValidators
  const count = Math.min(affordable, places.length)
  if (existing.size > 0 || (most >= minStake && most * BigInt(count) >= amount)) return count
  const needed = most >= minStake ? (amount + most - 1n) / most : amount
  const room = BigInt(Math.min(places.length, MOST_VALIDATORS))
  if (needed <= room && needed <= amount / minStake)
    throw shareTooSmall(count, { maxValidators: Number(needed) })
  const parts = partsOfShare(terms.limits)
  throw shareTooSmall(count, parts <= room ? enoughFor(parts, minStake, terms, maxValidators) : {})
}

/** The fewest validators that `maxShare` lets hold a whole. */
function partsOfShare({ maxShare = 1, principalShare = 1 }: StakeLimits): bigint {
  const { over, under } = ratioOf(Math.min(maxShare, principalShare))
  return (under + over - 1n) / over
}

/** The smallest amount for stakes with so many validators, or the rule that forbids it in one transaction. */
function enoughFor(parts: bigint, minStake: bigint, { limits, kept }: FieldTerms, maxValidators: number) {
  const staked = parts * minStake
  const isAllowed =
    limits.mostStaked === undefined || staked <= limits.mostStaked || !needsOneTransaction(limits, 0)
  if (!isAllowed) return { maxPerTx: staked }
  const isMore = parts > BigInt(maxValidators)
  return { amount: staked + kept, ...(isMore && { maxValidators: Number(parts) }) }
}

/** Looks up the place of a curve and its bounds in whole units. */
function slotsIn({ places, curves }: Field, { roomOf }: FieldTerms, least: bigint) {
  return (curve: RewardCurve) => {
    const place = places[curves.indexOf(curve)]
    if (!place) throw new Error('the curve is not one of this field')
    const { option, held } = place
    const others = option.stake > held ? option.stake - held : 1n
    return { place, slot: { curve, stake: others + held, least, most: roomOf(option.validatorId) } }
  }
}

/** Turns the float split into exact units, sorted by amount, largest first. */
function toWholeUnits(
  { parts }: Split,
  field: Field,
  terms: FieldTerms,
  least: bigint,
): readonly StakedPart[] | undefined {
  const { amount, risk, limits } = terms
  const { groups } = field
  const slotOf = slotsIn(field, terms, least)
  const chosen: Place[] = []
  const slots: WholeSlot[] = []
  for (const { curve, amount: near } of parts) {
    const { place, slot } = slotOf(curve)
    chosen.push(place)
    slots.push({ ...slot, near })
  }
  const split = splitIntoCappedUnits(slots, amount, risk, groups)
  if (!split) return undefined
  const { mostStaked: most } = limits
  const units = most === undefined ? split : inWholeStakes(split, { least, most })
  if (most !== undefined && !hasRoom(slots, units, groups)) throw notInStakes(least, most)
  return chosen
    .map((place, index) => stakeIn(place, units[index] ?? 0n))
    .filter((stake) => stake.units > 0n)
    .sort(byAmount)
}

const stakeIn = (place: Place, units: bigint): StakedPart => ({ ...place, units, amount: Number(units) })

/** Sorts by amount, largest first; ties by id. */
function byAmount(a: StakedPart, b: StakedPart): number {
  if (a.units === b.units) return compare(a.option.validatorId, b.option.validatorId)
  return a.units < b.units ? 1 : -1
}

function weightsOf({ existing, total }: FieldTerms, stakes: readonly StakedPart[]): readonly number[] {
  const whole = Number(total)
  const weights = stakes.map(({ held, units }) => Number(held + units) / whole)
  for (const [id, staked] of existing) {
    if (!stakes.some(({ option }) => option.validatorId === id)) weights.push(Number(staked) / whole)
  }
  return weights
}

function describe(
  market: StakeOptions,
  stakes: readonly StakedPart[],
  { mostStaked }: AllocationRequest,
): readonly AllocatedStake[] {
  const total = stakes.reduce((sum, { amount }) => sum + amount, 0)
  return stakes.map((stake) => ({
    validatorId: stake.option.validatorId,
    amount: stake.units,
    transactions: mostStaked === undefined ? 1 : Number(transactionsFor(stake.units, mostStaked)),
    weight: stake.amount / total,
    apy: apyWith(market, stake, stake.amount),
  }))
}
