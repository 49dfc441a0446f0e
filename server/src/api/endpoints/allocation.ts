import { type Checked, type Reply, TIERS } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import { type Allocation, allocator } from '#domain/staking/allocation.ts'
import { planRebalance } from '#domain/staking/rebalance/plan-rebalance.ts'
import type { HeldRequest, readHeldTokens } from '#domain/staking/rebalance/read-held-tokens.ts'
import { stakeOptionsOf } from '#domain/staking/stake-options.ts'
import { Fault } from '../../fault.ts'
import { rememberLast } from '../cached-answer.ts'
import type { Endpoints } from '../endpoint.ts'
import { toPlan } from './rebalance-shapes.ts'
import { toPercent } from './shapes.ts'

type Needs = {
  readonly network: CurrentNetwork
  readonly heldTokens: ReturnType<typeof readHeldTokens>
}

const NOBODY: ReadonlySet<string> = new Set()

/** Optimal splits and moves. What depends on the snapshot alone is prepared once for all requests. */
export function allocationEndpoints({ network, heldTokens }: Needs) {
  const marketOf = rememberLast(
    (view: NetworkView) => view.scored,
    ({ snapshot, scored }) => {
      const market = stakeOptionsOf(snapshot, scored)
      return { market, allocate: allocator(market) }
    },
  )
  return {
    allocate: {
      requires: 'data',
      handle: ({ amount, exclude, ...options }, { caller }) => {
        const view = network.read()
        const allocation = marketOf(view).allocate({
          ...options,
          amount: BigInt(amount),
          exclude: exclude.length === 0 ? NOBODY : new Set(exclude),
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
    planRebalance: {
      requires: 'data',
      refuse: ({ agent }) =>
        TIERS[agent.tier].mayRebalance
          ? undefined
          : new Fault(
              'forbidden',
              'Rebalance plans need the builder tier or higher: register a builder agent.',
            ),
      handle: async ({ positions, owner, maxTargets }, { caller, signal }) => {
        const view = network.read()
        const { tokens, assumptions } = await heldTokens(toHeld(positions, owner), view, signal())
        const plan = planRebalance(marketOf(view).market, {
          tokens,
          maxTargets,
          visible: TIERS[caller.agent.tier].visibleValidators,
        })
        return {
          reply: {
            ...toPlan(plan, view.snapshot),
            assumptions: [...assumptions],
            epoch: view.snapshot.epoch.number,
            dataAgeSeconds: network.ageSeconds(view),
            snapshotId: view.contentId,
          },
        }
      },
    },
  } satisfies Endpoints
}

/** The contract lets exactly one of both through. */
function toHeld(positions: Checked<'planRebalance'>['positions'], owner = ''): HeldRequest {
  if (positions === undefined) return { kind: 'owner', owner }
  return {
    kind: 'positions',
    positions: positions.map((position) => ({ ...position, principal: BigInt(position.principal) })),
  }
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
        curves: explanation.curves.map(({ validatorId, points }) => ({
          validatorId,
          points: points.map(({ amount, marginalRate }) => ({ amount: String(amount), marginalRate })),
        })),
        comparisons: explanation.comparisons.map(({ strategy, validatorIds, projectedApy }) => ({
          strategy,
          validatorIds: [...validatorIds],
          projectedApy: toPercent(projectedApy),
        })),
      },
    }),
  }
}
