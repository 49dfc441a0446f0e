import { Fault } from '../../fault.ts'
import { compoundYearly } from '../network/year.ts'
import { findBestSplit, type Split } from './best-split.ts'
import { type Certificate, certify } from './certificate.ts'
import { type Explanation, explainAllocation, type StakedPart } from './explain-allocation.ts'
import { splitIntoUnits } from './integer-split.ts'
import { gainOf, type RewardCurve, rewardOf } from './reward-curve.ts'
import { curveAt, type StakeOption, type StakeOptions } from './stake-options.ts'

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

/** Prepared once per snapshot; the answer to a request then costs little. */
export function allocator(market: StakeOptions): (request: AllocationRequest) => Allocation {
  const eligible = market.options.filter(({ eligible }) => eligible)
  const curvesOf = (options: readonly StakeOption[], added: number): readonly RewardCurve[] =>
    options.map((option) =>
      curveAt(market.pool, option, Number(option.stake), market.pool.totalStake + added),
    )
  // With equal pay, the network's total stake plays no part: the curves are the same for every amount.
  const lasting = market.pool.shape.kind === 'equal-share' ? curvesOf(eligible, 0) : undefined

  return (request) => {
    const candidates = candidatesFor(request, eligible)
    const curves = lasting && candidates === eligible ? lasting : curvesOf(candidates, Number(request.amount))
    return allocateAmong(market, candidates, curves, request)
  }
}

function candidatesFor({ visible = Infinity, exclude }: AllocationRequest, eligible: readonly StakeOption[]) {
  const all = visible === Infinity && (exclude === undefined || exclude.size === 0)
  const candidates = all
    ? eligible
    : eligible.filter(({ rank, validatorId }) => rank < visible && !exclude?.has(validatorId))
  if (candidates.length > 0) return candidates
  if (exclude !== undefined && exclude.size > 0) {
    throw invalid('exclude', 'leaves no validator to stake with; exclude fewer.')
  }
  throw new Fault(
    'store_not_ready',
    'No validator can be recommended right now. Try again in the next epoch.',
  )
}

function allocateAmong(
  market: StakeOptions,
  candidates: readonly StakeOption[],
  curves: readonly RewardCurve[],
  request: AllocationRequest,
): Allocation {
  const { amount, riskAversion = RISK_AVERSION.default } = request
  const most = shareOf(amount, request.maxShare ?? 1)
  const maxChosen = countFor(market, request, candidates.length, most)
  const risk = riskAversion / Number(amount)
  const limits = { least: Number(market.minStake), most: Number(most) }
  const split = findBestSplit({
    amount: Number(amount),
    risk,
    choices: curves,
    ...limits,
    maxChosen,
    free: [],
  })
  const chosen = split && chosenOf(split, candidates, curves)
  const units = chosen && splitIntoUnits(toWholeSlots(chosen, market.minStake, most), amount, risk)
  if (!split || !units) throw invalid('maxShare', 'is too small for this amount; raise it or leave it out.')
  const stakes = chosen.map((part, index) => ({ ...part, units: units[index] ?? 0n }))
  const reached = stakes.reduce((sum, stake) => sum + gainOf(stake.curve, risk, Number(stake.units)), 0)
  return {
    ...describe(market, stakes, amount),
    certificate: certify(reached, split, Number(amount)),
    explanation: request.explain
      ? explainAllocation({
          market,
          candidates,
          curves,
          stakes,
          risk,
          price: split.price,
          limits,
          maxChosen,
          maxValidators: request.maxValidators,
        })
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
  // No float is a third; what comes that close to one is meant as one.
  const parts = Math.round(1 / share)
  if (Math.abs(parts * share - 1) < 1e-12) return divideUp(amount, BigInt(parts))
  const scale = 2 ** 60
  return share > 1 ? amount : divideUp(amount * BigInt(Math.ceil(share * scale)), BigInt(scale))
}

const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by

type ChosenPart = Omit<StakedPart, 'units'>

function chosenOf(
  split: Split,
  candidates: readonly StakeOption[],
  curves: readonly RewardCurve[],
): ChosenPart[] {
  const amounts = new Map(split.parts.map(({ curve, amount }) => [curve, amount]))
  const chosen: ChosenPart[] = []
  for (const [index, option] of candidates.entries()) {
    const curve = curves[index]
    const amount = curve && amounts.get(curve)
    if (curve && amount !== undefined) chosen.push({ option, curve, amount })
  }
  return chosen
}

const toWholeSlots = (chosen: readonly ChosenPart[], least: bigint, most: bigint) =>
  chosen.map(({ option, curve, amount }) => ({
    curve,
    stake: option.stake > 0n ? option.stake : 1n,
    least,
    most,
    near: amount,
  }))

function describe({ pool }: StakeOptions, stakes: readonly StakedPart[], amount: bigint) {
  const allocations = stakes
    .map(({ option, curve, units }) => ({
      validatorId: option.validatorId,
      amount: units,
      weight: Number(units) / Number(amount),
      apy: 100 * compoundYearly(rewardOf(curve, Number(units)) / Number(units), pool.epochsPerYear),
    }))
    // Stable: equal amounts stay in the order of their ids.
    .toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
  const totalProjectedApy = allocations.reduce((sum, { weight, apy }) => sum + weight * apy, 0)
  return { allocations, totalProjectedApy }
}

const invalid = (field: string, message: string): Fault =>
  new Fault('invalid_input', `${field} ${message}`, { details: [{ field, message }] })
