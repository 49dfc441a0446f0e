import { Fault } from '../../fault.ts'
import { compoundYearly } from '../network/year.ts'
import { checkExcluded } from './excluded.ts'
import { type Explanation, explainAllocation } from './explain-allocation.ts'
import { compareIds } from './scoring/score.ts'
import { findBestSplit, type Split } from './solver/best-split.ts'
import { type Certificate, certify } from './solver/certificate.ts'
import { splitIntoUnits } from './solver/integer-split.ts'
import { byEntry, gainOf, type RewardCurve, rewardOf } from './solver/reward-curve.ts'
import type { WholeSlot } from './solver/unit-worth.ts'
import { curveAt, type StakeOption, type StakeOptions } from './stake-options.ts'
import type { Place, StakedPart } from './staked-part.ts'

export type AllocationRequest = {
  readonly amount: bigint
  readonly maxValidators: number
  /** Only the validators with the best scores, this many of them. */
  readonly visible?: number
  readonly riskAversion?: number
  readonly exclude?: ReadonlySet<string>
  /** The largest part of the amount that one validator may get, 0…1. */
  readonly maxShare?: number
  readonly explain?: boolean
}

export type Allocation = {
  /** The largest first. */
  readonly allocations: readonly AllocatedStake[]
  /** Percent, after the dilution that this very stake causes. */
  readonly totalProjectedApy: number
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

export const RISK_AVERSION = { default: 10, max: 1_000 } as const

/** The validators that may be chosen, and their curves once more, as the search wants them. */
type Field = { readonly places: readonly Place[]; readonly curves: readonly RewardCurve[] }

const fieldOf = (places: readonly Place[]): Field => ({ places, curves: places.map(({ curve }) => curve) })

/** Prepared once per snapshot; the answer to a request then costs little. */
export function allocator(market: StakeOptions): (request: AllocationRequest) => Allocation {
  const { pool } = market
  const placeAt = (option: StakeOption, added: number): Place => ({
    option,
    curve: curveAt(pool, option, Number(option.stake), pool.totalStake + added),
  })
  const eligible = market.options.filter((option) => option.eligible).map((option) => placeAt(option, 0))
  const whole = fieldOf(eligible.toSorted((a, b) => byEntry(a.curve, b.curve)))

  return (request) => {
    checkExcluded(market, request.exclude)
    const field = narrow(whole, request)
    // With equal pay, the network's total stake plays no part: the curves are the same for every amount.
    if (pool.shape.kind === 'equal-share') return allocateIn(market, field, request)
    const diluted = field.places.map(({ option }) => placeAt(option, Number(request.amount)))
    return allocateIn(market, fieldOf(diluted), request)
  }
}

function narrow(whole: Field, { visible = Infinity, exclude }: AllocationRequest): Field {
  const excludes = exclude !== undefined && exclude.size > 0
  const field =
    visible === Infinity && !excludes
      ? whole
      : fieldOf(
          whole.places.filter(
            ({ option }) => option.rank < visible && !(excludes && exclude.has(option.validatorId)),
          ),
        )
  if (field.places.length > 0) return field
  if (excludes) throw invalid('exclude', 'leaves no validator to stake with; exclude fewer.')
  throw new Fault(
    'store_not_ready',
    'No validator can be recommended right now. Try again in the next epoch.',
  )
}

function allocateIn(market: StakeOptions, field: Field, request: AllocationRequest): Allocation {
  const { amount, riskAversion = RISK_AVERSION.default } = request
  const total = Number(amount)
  const most = shareOf(amount, request.maxShare ?? 1)
  const maxChosen = countFor(market, request, field.places.length, most)
  const risk = riskAversion / total
  const limits = { least: Number(market.minStake), most: Number(most) }
  const split = findBestSplit({
    amount: total,
    risk,
    choices: field.curves,
    least: limits.least,
    most: limits.most,
    maxChosen,
    free: [],
  })
  const stakes = split && toWholeUnits(split, field, { amount, risk, least: market.minStake, most })
  if (!stakes) throw invalid('maxShare', 'is too small for this amount; raise it or leave it out.')
  const reached = stakes.reduce((sum, stake) => sum + gainOf(stake.curve, risk, stake.amount), 0)
  const { places } = field
  const { price } = split
  const { maxValidators } = request
  return {
    ...describe(market, stakes, total),
    certificate: certify(reached, split, total),
    explanation: request.explain
      ? explainAllocation({ market, places, stakes, risk, price, limits, maxChosen, maxValidators })
      : undefined,
  }
}

/** How many validators there can be; refuses what cannot be split at all. */
function countFor(
  market: StakeOptions,
  request: AllocationRequest,
  candidates: number,
  most: bigint,
): number {
  const { amount, maxValidators } = request
  const { minStake } = market
  if (amount < minStake)
    throw invalid('amount', `must be at least ${minStake}, the network's smallest stake.`)
  const affordable = amount / minStake < BigInt(maxValidators) ? Number(amount / minStake) : maxValidators
  const count = Math.min(affordable, candidates)
  if (most >= minStake && most * BigInt(count) >= amount) return count
  throw invalid(
    'maxShare',
    `is too small: the amount can go to ${count} validator${count === 1 ? '' : 's'} at most, so it must be at least ${1 / count}.`,
  )
}

/** Rounded up: half of an odd amount, twice, must still hold the whole. */
function shareOf(amount: bigint, share: number): bigint {
  if (share >= 1) return amount
  // No float is a third; what comes that close to one is meant as one.
  const parts = Math.round(1 / share)
  if (Math.abs(parts * share - 1) < 1e-12) return divideUp(amount, BigInt(parts))
  const scale = 2 ** 60
  return divideUp(amount * BigInt(Math.ceil(share * scale)), BigInt(scale))
}

const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by

type WholeTerms = {
  readonly amount: bigint
  readonly risk: number
  readonly least: bigint
  readonly most: bigint
}

/** What floats have found, to the unit; the largest first. */
function toWholeUnits(
  { parts }: Split,
  { places, curves }: Field,
  { amount, risk, least, most }: WholeTerms,
): readonly StakedPart[] | undefined {
  const chosen: Place[] = []
  const slots: WholeSlot[] = []
  for (const { curve, amount: near } of parts) {
    const place = places[curves.indexOf(curve)]
    if (!place) continue
    const { stake } = place.option
    chosen.push(place)
    slots.push({ curve, stake: stake > 0n ? stake : 1n, least, most, near })
  }
  const units = splitIntoUnits(slots, amount, risk)
  return units && chosen.map((place, index) => stakeIn(place, units[index] ?? 0n)).sort(byAmount)
}

const stakeIn = ({ option, curve }: Place, units: bigint): StakedPart => ({
  option,
  curve,
  units,
  amount: Number(units),
})

/** The largest first; equals in the order of their ids. */
function byAmount(a: StakedPart, b: StakedPart): number {
  if (a.units === b.units) return compareIds(a.option.validatorId, b.option.validatorId)
  return a.units < b.units ? 1 : -1
}

function describe({ pool }: StakeOptions, stakes: readonly StakedPart[], total: number) {
  const allocations = stakes.map(({ option, curve, units, amount }) => ({
    validatorId: option.validatorId,
    amount: units,
    weight: amount / total,
    apy: 100 * compoundYearly(rewardOf(curve, amount) / amount, pool.epochsPerYear),
  }))
  const totalProjectedApy = allocations.reduce((sum, { weight, apy }) => sum + weight * apy, 0)
  return { allocations, totalProjectedApy }
}

const invalid = (field: string, message: string): Fault =>
  new Fault('invalid_input', `${field} ${message}`, { details: [{ field, message }] })
