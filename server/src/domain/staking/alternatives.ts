import { Fault } from '../../fault.ts'
import { type AllocationRequest, allocator, termsOf } from './allocation.ts'
import { prepareField } from './allocation-field.ts'
import { compareStrategies, type Strategy } from './compare-strategies.ts'
import { RISK_AVERSION } from './stake-limits.ts'
import type { StakeOptions } from './stake-options.ts'

/** What another choice would bring, by the same estimate. */
export type Alternative = {
  readonly name: string
  readonly validators: number
  /** Percent, after own dilution. */
  readonly apy: number
  readonly rewardsPerYear: bigint
}

const COUNTS = [1, 5, 10, 50] as const

const RULES = {
  highest_apy: 'everything with the highest quoted rate',
  equal_parts: 'equal parts, best scores',
  by_stake: 'by stake, largest validators',
} as const satisfies Record<Strategy, string>

/** The same request with other counts of validators and other risk, and what plain rules would bring. */
export function alternativesIn(market: StakeOptions): (request: AllocationRequest) => readonly Alternative[] {
  const allocate = allocator(market)
  const fieldFor = prepareField(market)

  function solved(name: string, request: AllocationRequest): readonly Alternative[] {
    try {
      const { allocations, totalProjectedApy } = allocate({ ...request, explain: false })
      const amount = allocations.reduce((sum, one) => sum + one.amount, 0n)
      return [described(name, allocations.length, totalProjectedApy, amount)]
    } catch (error) {
      // One validator alone may be against the caller's own limits.
      if (error instanceof Fault) return []
      throw error
    }
  }

  return (request) => {
    const { riskAversion = RISK_AVERSION.default, maxValidators } = request
    const terms = termsOf(market, request)
    const { places } = fieldFor(terms)
    const rules = compareStrategies(market, places, Number(terms.amount), maxValidators)
    const higher = Math.min(RISK_AVERSION.max, Math.max(1, riskAversion * 10))
    return [
      ...COUNTS.flatMap((count) => solved(`maxValidators ${count}`, { ...request, maxValidators: count })),
      ...solved('lower riskAversion', { ...request, riskAversion: riskAversion / 10 }),
      ...solved('higher riskAversion', { ...request, riskAversion: higher }),
      ...rules.map(({ strategy, validatorIds, projectedApy }) =>
        described(RULES[strategy], validatorIds.length, projectedApy, terms.amount),
      ),
    ]
  }
}

const described = (name: string, validators: number, apy: number, amount: bigint): Alternative => ({
  name,
  validators,
  apy,
  rewardsPerYear: BigInt(Math.round((Number(amount) * apy) / 100)),
})
