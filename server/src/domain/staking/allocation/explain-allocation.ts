import { compoundYearly } from '../../network/year.ts'
import { type SampledCurve, sampleCurves } from '../sample-curves.ts'
import { demandAt, gainOf, marginalGain, type RewardCurve, rewardOf } from '../solver/reward-curve.ts'
import type { StakeOptions } from '../stake-options.ts'
import type { Place, StakedPart } from '../staked-part.ts'

/** The reasons for the chosen validators, and against the next one. All rates in percent per year. */
export type Explanation = {
  /** The common marginal rate: every chosen validator is filled until its last unit earns this. */
  readonly marginalRate: number
  readonly chosen: readonly ChosenReason[]
  readonly next: NextCandidate | undefined
  /** Marginal rates of the chosen validators, and of the next one, at several amounts. */
  readonly curves: readonly SampledCurve[]
}

type ChosenReason = {
  readonly validatorId: string
  /** APY of the first unit, before this stake dilutes the pool. */
  readonly apyBefore: number
  readonly apyAfter: number
  /** The rate of its last unit, after dilution and the price of risk. */
  readonly marginalRate: number
  /** The constraint that limits its amount. */
  readonly heldBy: 'whole_amount' | 'max_share' | 'min_stake' | 'marginal_rate'
}

type NextCandidate = {
  readonly validatorId: string
  /** The rate of its first unit. */
  readonly entryRate: number
  /**
   * `max_validators` and `amount_too_small`: one more validator would pay, but the caller's `maxValidators` is
   * reached, or the amount is too small for one more stake. `rate_too_low`: one more validator would not pay.
   */
  readonly reason: 'max_validators' | 'amount_too_small' | 'rate_too_low'
  /** A lower bound on the loss of yearly rate if it replaced the weakest chosen validator. */
  readonly costOfChoosing: number
}

type Answer = {
  readonly market: StakeOptions
  readonly places: readonly Place[]
  readonly stakes: readonly StakedPart[]
  readonly risk: number
  readonly price: number
  readonly limits: { readonly least: number; readonly most: number }
  /** The number of validators that the amount allows; `maxValidators` is the caller's limit. */
  readonly maxChosen: number
  readonly maxValidators: number
}

export function explainAllocation(answer: Answer): Explanation {
  const { places, stakes, risk, price } = answer
  const next = nextCandidate(answer)
  const nextPlace = places.find(({ option }) => option.validatorId === next?.validatorId)
  return {
    marginalRate: 100 * price,
    chosen: stakes.map((stake) => reasonFor(answer, stake)),
    next,
    curves: sampleCurves(stakes, nextPlace, risk),
  }
}

function reasonFor(
  { market, stakes, risk, limits }: Answer,
  { option, curve, base, held, amount }: StakedPart,
): ChosenReason {
  const apy = (rate: number): number => 100 * compoundYearly(rate, market.pool.epochsPerYear)
  const [before, after] = [Number(held), Number(held) + amount]
  return {
    validatorId: option.validatorId,
    apyBefore: apy(before > 0 ? rewardOf(base, before) / before : base.entry),
    apyAfter: apy(rewardOf(base, after) / after),
    marginalRate: 100 * marginalGain(curve, risk, amount),
    heldBy:
      stakes.length === 1
        ? 'whole_amount'
        : amount >= Math.min(limits.most, curve.cap)
          ? 'max_share'
          : amount <= limits.least
            ? 'min_stake'
            : 'marginal_rate',
  }
}

/** The validator that was not chosen and whose gain at the common marginal rate is the highest. */
function nextCandidate(answer: Answer): NextCandidate | undefined {
  const { places, stakes, risk, price, limits } = answer
  const surplusOf = (curve: RewardCurve): number => {
    const x = demandAt(curve, risk, price, limits.least, limits.most)
    return gainOf(curve, risk, x) - price * x
  }
  const taken = new Set(stakes.map(({ curve }) => curve))
  let best: (Place & { readonly surplus: number }) | undefined
  for (const place of places) {
    if (taken.has(place.curve)) continue
    const surplus = surplusOf(place.curve)
    if (!best || surplus > best.surplus) best = { ...place, surplus }
  }
  if (!best) return undefined
  const weakest = Math.min(...stakes.map(({ curve }) => surplusOf(curve)))
  const total = stakes.reduce((sum, { amount }) => sum + amount, 0)
  return {
    validatorId: best.option.validatorId,
    entryRate: 100 * best.curve.entry,
    reason: best.surplus > 0 ? limitOn(answer) : 'rate_too_low',
    costOfChoosing: (100 * Math.max(0, weakest - best.surplus)) / total,
  }
}

function limitOn({ stakes, maxChosen, maxValidators }: Answer): NextCandidate['reason'] {
  if (stakes.length < maxChosen) return 'rate_too_low'
  return maxChosen < maxValidators ? 'amount_too_small' : 'max_validators'
}
