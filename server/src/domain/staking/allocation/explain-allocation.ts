import { compoundYearly } from '../../network/year.ts'
import { type SampledCurve, sampleCurves } from '../sample-curves.ts'
import { chargesAt } from '../solver/capped/capped-bound.ts'
import type { CappedSplit } from '../solver/capped/capped-split.ts'
import { usedBy } from '../solver/capped/group-caps.ts'
import { dueFor } from '../solver/dual-bound.ts'
import { demandAt, gainOf, marginalGain, type RewardCurve, rewardOf } from '../solver/reward-curve.ts'
import type { StakeOptions } from '../stake-options.ts'
import type { Place, StakedPart } from '../staked-part.ts'
import type { Field } from './allocation-field.ts'

/** The reasons for the chosen validators, and against the next one. All rates in percent per year. */
export type Explanation = {
  /** The common marginal rate: the last unit of every chosen validator earns this, unless something else limits it. */
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
  readonly heldBy: 'whole_amount' | 'max_share' | 'min_stake' | 'group_share' | 'marginal_rate'
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
  readonly field: Field
  readonly stakes: readonly StakedPart[]
  readonly risk: number
  readonly split: CappedSplit
  /** The total gain of the stakes. */
  readonly reached: number
  readonly limits: { readonly least: number; readonly most: number }
  /** The number of validators that the amount allows; `maxValidators` is the caller's limit. */
  readonly maxChosen: number
  readonly maxValidators: number
}

export function explainAllocation(answer: Answer): Explanation {
  const { field, stakes, risk, split } = answer
  const next = nextCandidate(answer)
  const nextPlace = field.places.find(({ option }) => option.validatorId === next?.validatorId)
  return {
    marginalRate: 100 * split.price,
    chosen: stakes.map((stake) => reasonFor(answer, stake)),
    next,
    curves: sampleCurves(stakes, nextPlace, risk),
  }
}

function reasonFor(answer: Answer, stake: StakedPart): ChosenReason {
  const { market, risk } = answer
  const { option, curve, base, held, amount } = stake
  const apy = (rate: number): number => 100 * compoundYearly(rate, market.pool.epochsPerYear)
  const [before, after] = [Number(held), Number(held) + amount]
  return {
    validatorId: option.validatorId,
    apyBefore: apy(before > 0 ? rewardOf(base, before) / before : base.entry),
    apyAfter: apy(rewardOf(base, after) / after),
    marginalRate: 100 * marginalGain(curve, risk, amount),
    heldBy: heldBy(answer, stake),
  }
}

function heldBy({ field, stakes, limits }: Answer, { curve, amount }: StakedPart): ChosenReason['heldBy'] {
  if (stakes.length === 1) return 'whole_amount'
  if (amount >= Math.min(limits.most, curve.cap)) return 'max_share'
  if (amount <= limits.least) return 'min_stake'
  const isFull = field.groups.some(
    (group) => group.members.has(curve) && usedBy(group, stakes) >= group.most * (1 - ROUNDING),
  )
  return isFull ? 'group_share' : 'marginal_rate'
}

/** Relative: groups are full up to a few units. */
const ROUNDING = 1e-9

/**
 * The validator that was not chosen and whose gain at the common marginal rate, and after the tolls of full groups, is
 * the highest. The same prices prove an upper bound on every split in which it replaces the weakest chosen validator.
 */
function nextCandidate(answer: Answer): NextCandidate | undefined {
  const { field, stakes, risk, split, reached, limits } = answer
  const { charges, income } = chargesAt(field.groups, split.tolls)
  const surplusOf = (curve: RewardCurve): number => {
    const due = dueFor(curve, split.price, charges)
    const x = demandAt(curve, risk, due, limits.least, Math.min(limits.most, curve.cap))
    return gainOf(curve, risk, x) - due * x
  }
  const taken = new Set(stakes.map(({ curve }) => curve))
  let best: (Place & { readonly surplus: number }) | undefined
  for (const place of field.places) {
    if (taken.has(place.curve)) continue
    const surplus = surplusOf(place.curve)
    if (!best || surplus > best.surplus) best = { ...place, surplus }
  }
  if (!best) return undefined
  const surpluses = stakes.map(({ curve }) => surplusOf(curve))
  const total = stakes.reduce((sum, { amount }) => sum + amount, 0)
  const others = surpluses.reduce((sum, surplus) => sum + surplus, 0) - Math.min(...surpluses)
  const bound = split.price * total + income + others + best.surplus
  return {
    validatorId: best.option.validatorId,
    entryRate: 100 * best.curve.entry,
    reason: best.surplus > 0 ? limitOn(answer) : 'rate_too_low',
    costOfChoosing: (100 * Math.max(0, reached - bound)) / total,
  }
}

function limitOn({ stakes, maxChosen, maxValidators }: Answer): NextCandidate['reason'] {
  if (stakes.length < maxChosen) return 'rate_too_low'
  return maxChosen < maxValidators ? 'amount_too_small' : 'max_validators'
}
