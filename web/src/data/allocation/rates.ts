import type { Reply } from '@stakewright/client'

type Answer = Reply<'allocate'>

/** A yearly rate that is paid and compounds every epoch: the APY of a simple rate, both in percent. */
export const toApy = (simple: number, epochsPerYear: number): number =>
  100 * Math.expm1(epochsPerYear * Math.log1p(simple / 100 / epochsPerYear))

/** The simple yearly rate behind an APY, both in percent. */
export const toSimple = (apy: number, epochsPerYear: number): number =>
  100 * epochsPerYear * Math.expm1(Math.log1p(apy / 100) / epochsPerYear)

/**
 * Converts the simple rates of an explanation to APY, so that a page shows one unit: marginal rates, entry rate and
 * curves. The certificate keeps simple rates, because the maximised sum is one of simple rates, and so does
 * `costOfChoosing`, a difference of such sums.
 */
export function explainedInApy(answer: Answer, epochsPerYear: number): Answer {
  const { explanation } = answer
  if (!explanation) return answer
  const apy = (rate: number) => toApy(rate, epochsPerYear)
  const { marginalRate, chosen, next, curves } = explanation
  return {
    ...answer,
    explanation: {
      marginalRate: apy(marginalRate),
      chosen: chosen.map((one) => ({ ...one, marginalRate: apy(one.marginalRate) })),
      next: next && { ...next, entryRate: apy(next.entryRate) },
      curves: curves.map(({ validatorId, points }) => ({
        validatorId,
        points: points.map((point) => ({ ...point, marginalRate: apy(point.marginalRate) })),
      })),
    },
  }
}

/**
 * The simple rate that the split earns, and how much of it is the price of risk. `undefined` if the address already
 * holds stake: the answer then has no rate for the new stake alone.
 */
export function simpleRateOf(
  { allocations, certificate }: Answer,
  epochsPerYear: number,
  holdsStake: boolean,
): { readonly rate: number; readonly priceOfRisk: number } | undefined {
  if (holdsStake) return undefined
  const rate = allocations.reduce(
    (sum, { weight, projectedApy }) => sum + weight * toSimple(projectedApy, epochsPerYear),
    0,
  )
  return { rate, priceOfRisk: Math.max(0, rate - certificate.value) }
}
