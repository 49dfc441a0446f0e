import { type Reply, TIERS } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import { type Allocation, allocator } from '#domain/staking/allocation.ts'
import { stakeOptionsOf } from '#domain/staking/stake-options.ts'
import { rememberLast } from '../conditional.ts'
import type { Endpoints } from '../serve-endpoints.ts'
import { toPercent } from './public-shapes.ts'

type Needs = { readonly network: CurrentNetwork }

/** The optimal split of an amount. What depends on the snapshot alone is prepared once for all requests. */
export function allocationEndpoints({ network }: Needs) {
  const allocatorFor = rememberLast(
    (view: NetworkView) => view.scored,
    ({ snapshot, scored }) => allocator(stakeOptionsOf(snapshot, scored)),
  )
  return {
    allocate: {
      needs: 'data',
      handle: ({ amount, exclude, ...options }, { caller }) => {
        const view = network.read()
        const allocation = allocatorFor(view)({
          ...options,
          amount: BigInt(amount),
          exclude: new Set(exclude),
          visible: TIERS[caller.agent.tier].visibleValidators,
        })
        return {
          reply: {
            ...toAllocation(allocation),
            epoch: view.snapshot.epoch.number,
            dataAgeSeconds: network.ageSeconds(view),
            snapshotId: view.contentId,
          },
        }
      },
    },
  } satisfies Endpoints
}

type AllocationPart = Pick<
  Reply<'allocate'>,
  'allocations' | 'totalProjectedApy' | 'certificate' | 'explanation'
>

function toAllocation({
  allocations,
  totalProjectedApy,
  certificate,
  explanation,
}: Allocation): AllocationPart {
  return {
    allocations: allocations.map(({ validatorId, amount, weight, apy }) => ({
      validatorId,
      amount: String(amount),
      weight,
      projectedApy: toPercent(apy),
    })),
    totalProjectedApy: toPercent(totalProjectedApy),
    certificate,
    ...(explanation && {
      explanation: {
        ...explanation,
        chosen: explanation.chosen.map((reason) => ({
          ...reason,
          apyBefore: toPercent(reason.apyBefore),
          apyAfter: toPercent(reason.apyAfter),
        })),
        next: explanation.next ?? null,
      },
    }),
  }
}
