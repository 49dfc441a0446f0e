import { Fault } from '../../../fault.ts'
import { type Strategy, strategiesIn } from '../compare-strategies.ts'
import { RISK_AVERSION } from '../stake-limits.ts'
import type { StakeOptions } from '../stake-options.ts'
import { yieldOfWhole } from '../staked-part.ts'
import { type Allocation, rewardsAt, sketchAllocation } from './allocation.ts'
import { prepareField } from './allocation-field.ts'
import { type AllocationRequest, termsOf } from './allocation-terms.ts'

/** One row of `alternatives`: another way to stake, and its earnings by the same estimate. */
export type Alternative = {
  readonly name: string
  readonly validators: number
  /** Percent, over existing and new stake, as in the answer itself. */
  readonly apy: number
  readonly rewardsPerYear: bigint
}

const COUNTS = [1, 5, 10, 50] as const

const RULES = {
  highest_apy: 'everything with the highest quoted rate',
  equal_parts: 'equal parts, best scores',
  by_stake: 'by stake, largest of those to choose from',
} as const satisfies Record<Strategy, string>

type Known = { readonly validators: number; readonly apy: number }

/**
 * The results of the same request with other counts of validators and other risk aversions, and of plain rules. `own`
 * is the answer to the request itself. A split that uses fewer validators than allowed is also the best for every
 * higher count.
 */
export function alternativesIn(
  market: StakeOptions,
  fieldFor = prepareField(market),
): (request: AllocationRequest, own: Allocation) => readonly Alternative[] {
  const yieldOf = yieldOfWhole(market)
  const strategies = strategiesIn(market)
  return (request, own) => {
    const { riskAversion = RISK_AVERSION.default, maxValidators } = request
    const asked = termsOf(market, request)
    const terms = { ...asked, yieldOf: yieldOf(asked) }
    const field = fieldFor(terms)
    const solved = (count: number): Known | undefined =>
      solveOrUndefined(() => sketchAllocation(market, field, terms, { ...request, maxValidators: count }))
    const known = new Map<number, Known | undefined>([
      [maxValidators, { validators: own.allocations.length, apy: own.totalProjectedApy }],
    ])
    for (const count of COUNTS.toReversed()) known.set(count, findReusable(known, count) ?? solved(count))
    const withRisk = (name: string, other: number): readonly Alternative[] => {
      // The risk aversion is at its limit, so the alternative would equal the request.
      if (other === riskAversion) return []
      const changed = { ...request, riskAversion: other }
      const termsThere = { ...termsOf(market, changed), yieldOf: terms.yieldOf }
      // Curves depend on the risk only if there is existing stake.
      const there = terms.existing.size === 0 ? field : fieldFor(termsThere)
      return listed(
        name,
        solveOrUndefined(() => sketchAllocation(market, there, termsThere, changed)),
        terms.total,
      )
    }
    const rules = strategies(field, terms, maxValidators)
    return [
      ...COUNTS.flatMap((count) => listed(`maxValidators ${count}`, known.get(count), terms.total)),
      ...withRisk('lower riskAversion', riskAversion / 10),
      ...withRisk('higher riskAversion', Math.min(RISK_AVERSION.max, Math.max(1, riskAversion * 10))),
      ...rules.map(({ strategy, validatorIds, projectedApy }) =>
        described(RULES[strategy], validatorIds.length, projectedApy, terms.total),
      ),
    ]
  }
}

/** A known split that is the best for `count` as well. */
function findReusable(known: ReadonlyMap<number, Known | undefined>, count: number): Known | undefined {
  for (const [limit, found] of known) {
    if (found && (limit === count || (found.validators < limit && found.validators <= count))) return found
  }
  return undefined
}

/** Undefined if the alternative breaks the caller's own limits. */
function solveOrUndefined(solve: () => Known): Known | undefined {
  try {
    return solve()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

const listed = (name: string, found: Known | undefined, total: bigint): readonly Alternative[] =>
  found ? [described(name, found.validators, found.apy, total)] : []

const described = (name: string, validators: number, apy: number, total: bigint): Alternative => ({
  name,
  validators,
  apy,
  rewardsPerYear: rewardsAt(total, apy),
})
