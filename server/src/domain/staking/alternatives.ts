import { Fault } from '../../fault.ts'
import { compoundYearly } from '../network/year.ts'
import { type AllocationRequest, allocator, termsOf } from './allocation.ts'
import { prepareField } from './allocation-field.ts'
import { rewardOf } from './solver/reward-curve.ts'
import { RISK_AVERSION } from './stake-limits.ts'
import type { StakeOptions } from './stake-options.ts'
import type { Place } from './staked-part.ts'

/** What another choice would bring, by the same estimate. */
export type Alternative = {
  readonly name: string
  readonly validators: number
  /** Percent, after own dilution. */
  readonly apy: number
  readonly rewardsPerYear: bigint
}

const COUNTS = [1, 5, 10, 50] as const

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
    const ruled = (name: string, chosen: readonly Place[], weight: (place: Place) => number): Alternative =>
      described(name, chosen.length, apyOf(market, chosen, weight, Number(terms.amount)), terms.amount)
    const byStake = places.toSorted((a, b) => Number(b.option.stake - a.option.stake)).slice(0, maxValidators)
    return [
      ...COUNTS.flatMap((count) => solved(`maxValidators ${count}`, { ...request, maxValidators: count })),
      ...solved('lower riskAversion', { ...request, riskAversion: riskAversion / 10 }),
      ...solved('higher riskAversion', {
        ...request,
        riskAversion: Math.min(RISK_AVERSION.max, Math.max(1, riskAversion * 10)),
      }),
      ruled('everything with the highest quoted rate', places.slice(0, 1), () => 1),
      ruled('equal parts, highest quoted rates', places.slice(0, maxValidators), () => 1),
      ruled('by stake, largest validators', byStake, ({ option }) => Number(option.stake)),
    ]
  }
}

const described = (name: string, validators: number, apy: number, amount: bigint): Alternative => ({
  name,
  validators,
  apy,
  rewardsPerYear: BigInt(Math.round((Number(amount) * apy) / 100)),
})

function apyOf(
  { pool }: StakeOptions,
  chosen: readonly Place[],
  weight: (place: Place) => number,
  amount: number,
): number {
  const whole = chosen.reduce((sum, place) => sum + weight(place), 0)
  return chosen.reduce((sum, place) => {
    const part = weight(place) / whole
    const staked = Number(place.held) + part * amount
    return sum + part * 100 * compoundYearly(rewardOf(place.base, staked) / staked, pool.epochsPerYear)
  }, 0)
}
