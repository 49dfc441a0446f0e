import type { Reply } from '@stakewright/contract'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { Allocation } from '#domain/staking/allocation/allocation.ts'
import type { Alternative } from '#domain/staking/allocation/alternatives.ts'
import { toPercent, toRange } from '../shapes.ts'

export const toAlternative = ({ name, validators, apy, rewardsPerYear }: Alternative) => ({
  name,
  validators,
  projectedApy: toPercent(apy),
  rewardsPerYear: String(rewardsPerYear),
})

type AllocationPart = Pick<
  Reply<'allocate'>,
  | 'allocations'
  | 'totalProjectedApy'
  | 'rewardsPerYear'
  | 'range'
  | 'heldBack'
  | 'certificate'
  | 'explanation'
>

export function toAllocation(
  { allocations, totalProjectedApy, rewardsPerYear, weights, heldBack, certificate, explanation }: Allocation,
  view: NetworkView,
): AllocationPart {
  // Only listed validators are chosen.
  const nameOf = (id: string): string => view.byId.get(id)?.validator.name ?? ''
  return {
    allocations: allocations.map(({ validatorId, amount, transactions, weight, apy }) => ({
      validatorId,
      name: nameOf(validatorId),
      amount: String(amount),
      ...(transactions > 1 && { transactions }),
      weight,
      projectedApy: toPercent(apy),
      range: toRange(view, apy),
    })),
    totalProjectedApy: toPercent(totalProjectedApy),
    rewardsPerYear: String(rewardsPerYear),
    range: toRange(view, totalProjectedApy, weights),
    heldBack: String(heldBack),
    certificate,
    ...(explanation && {
      explanation: {
        ...explanation,
        chosen: explanation.chosen.map((reason) => ({
          ...reason,
          name: nameOf(reason.validatorId),
          apyBefore: toPercent(reason.apyBefore),
          apyAfter: toPercent(reason.apyAfter),
        })),
        next: explanation.next ? { ...explanation.next, name: nameOf(explanation.next.validatorId) } : null,
        curves: explanation.curves.map(({ validatorId, points }) => ({
          validatorId,
          points: points.map(({ amount, marginalRate }) => ({ amount: String(amount), marginalRate })),
        })),
      },
    }),
  }
}
