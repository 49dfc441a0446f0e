import { type Checked, TIERS, type Tier } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { PoliciesInForce } from '#domain/policy/policies-in-force.ts'
import { allocator } from '#domain/staking/allocation/allocation.ts'
import { prepareField } from '#domain/staking/allocation/allocation-field.ts'
import { alternativesIn } from '#domain/staking/allocation/alternatives.ts'
import {
  type AllocationDecision,
  type AllocationQuestion,
  decideAllocation,
  decidePlan,
  type PlanDecision,
  type PlanQuestion,
} from '#domain/staking/decisions/decide.ts'
import { nextRuleChange } from '#domain/staking/epoch-rules.ts'
import { paidOutBy, stakedByValidator } from '#domain/staking/rebalance/held-token.ts'
import type { HeldRequest, HeldTokens, readHeldTokens } from '#domain/staking/rebalance/read-held-tokens.ts'
import { stakeOptionsOf, withSelectionDue } from '#domain/staking/stake-options.ts'
import { plannedUntil } from '#domain/staking/transactions/expiry.ts'
import type { Clock } from '#ports/clock.ts'
import type { AgentRecord } from '#ports/stores/admission.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import { rememberLast } from '../../cached-answer.ts'
import type { AgentCaller, Call } from '../../call.ts'
import type { Endpoints } from '../../endpoint.ts'
import { underPolicy } from '../mandates/policy-limits.ts'
import { needsBuilderTier } from '../refusals.ts'
import { toHistoryState, toNextChangeAt, toTokenUnit } from '../shapes.ts'
import { toAllocation, toAlternative } from './allocation-shapes.ts'
import { toLimits } from './asked-limits.ts'
import { type DecideAside, decideSoon } from './decide-aside.ts'
import { toPlanReply } from './rebalance-shapes.ts'
import { comparableIn, countedAsLiquid, heldButExcluded, hiddenByTier } from './stated-assumptions.ts'

type Needs = {
  readonly network: CurrentNetwork
  readonly heldTokens: ReturnType<typeof readHeldTokens>
  readonly inForce: PoliciesInForce
  readonly clock: Clock
  readonly decideAside: DecideAside
}

/** Optimal splits and moves. Data that depends on the snapshot alone is prepared once for all requests. */
export function allocationEndpoints({ network, heldTokens, inForce, clock, decideAside }: Needs) {
  const marketOf = rememberLast(
    (view: NetworkView) => view.scored,
    ({ snapshot, scored }) => {
      const market = stakeOptionsOf(snapshot, scored)
      const fieldFor = prepareField(market)
      return {
        market,
        allocate: allocator(market, fieldFor),
        alternatives: alternativesIn(market, fieldFor),
      }
    },
  )
  const ofView = rememberLast(
    (view: NetworkView) => view,
    (view) => ({
      comparable: comparableIn(view),
      fields: {
        nextChangeAt: toNextChangeAt(view.snapshot),
        ...toTokenUnit(view.snapshot),
        ...toHistoryState(view),
        snapshotId: view.contentId,
      },
    }),
  )
  const commonFields = (view: NetworkView, assumptions: readonly string[], tier: Tier) => {
    const { comparable, fields } = ofView(view)
    return {
      assumptions: [...assumptions, ...hiddenByTier(comparable, tier)],
      epoch: view.snapshot.epoch.number,
      dataAgeSeconds: network.ageSeconds(view),
      ...fields,
    }
  }

  const policyOf = (agent: AgentRecord) => inForce(agent, clock.now())

  function allocateFor(
    view: NetworkView,
    body: Checked<'allocate'>,
    { caller, client, signal }: Pick<Call<AgentCaller>, 'caller' | 'client' | 'signal'>,
    held: HeldTokens,
    policy: readonly PolicyRevision[] = [],
  ) {
    const { tier } = caller.agent
    const { market, ...prepared } = marketOf(view)
    const { limits, others, costs, explain } = underPolicy(policy, toLimits(body, tier), view)
    const atHand = body.keepLiquid
      ? paidOutBy(held.tokens, view.snapshot.epoch.number + body.keepLiquid.withinEpochs)
      : 0n
    const question: AllocationQuestion = {
      kind: 'allocation',
      limits,
      others,
      asked: {
        atHand,
        amount: BigInt(body.amount),
        maxValidators: body.maxValidators,
        existing: stakedByValidator(held.tokens),
        principals: stakedByValidator(held.tokens, ({ principal }) => principal),
        explain: body.explain,
      },
      wantsAlternatives: body.alternatives,
    }
    const toReply = ({ allocation, alternatives, yields }: AllocationDecision) => ({
      reply: {
        ...toAllocation(allocation, view),
        ...costs(yields, allocation.totalProjectedApy, {
          actions: ['stake'],
          sender: body.owner,
          now: clock.now(),
        }),
        ...(body.alternatives && { alternatives: alternatives.map(toAlternative) }),
        ...commonFields(
          view,
          [...held.assumptions, ...countedAsLiquid(atHand), ...heldButExcluded(held.tokens, limits.exclude)],
          tier,
        ),
      },
    })
    return decideSoon(
      () => decideAllocation(prepared, question),
      () => decideAside(market, question, { group: client, member: String(caller.agent.no) }, signal()),
      { toReply, explain },
    )
  }

  return {
    allocate: {
      requires: 'data',
      handle: (body, call) => {
        const view = network.read()
        const held = toHeld('existing', body.existing, body.owner)
        const { agent } = call.caller
        if (!held && agent.policyRevision === undefined) return allocateFor(view, body, call, NOTHING_HELD)
        const tokens = held ? heldTokens(held, view, call.signal()) : NOTHING_HELD
        return Promise.all([tokens, policyOf(agent)]).then(([tokens, policy]) =>
          allocateFor(view, body, call, tokens, policy),
        )
      },
    },
    planRebalance: {
      requires: 'data',
      refuse: ({ agent }, keyEndpoint) =>
        TIERS[agent.tier].mayRebalance ? undefined : needsBuilderTier(keyEndpoint),
      handle: async (body, { caller, client, signal }) => {
        const view = network.read()
        const held = toHeld('positions', body.positions, body.owner)
        const { tokens, assumptions } = held ? await heldTokens(held, view, signal()) : NOTHING_HELD
        const { maxTargets, maxTurnover, horizonEpochs } = body
        const policy = await policyOf(caller.agent)
        const { limits, others, costs, explain } = underPolicy(
          policy,
          toLimits(body, caller.agent.tier),
          view,
        )
        const now = clock.now()
        const market = withSelectionDue(marketOf(view).market, nextRuleChange(view.snapshot), now)
        const question: PlanQuestion = {
          kind: 'plan',
          limits,
          others,
          asked: { tokens, maxTargets, maxTurnover, ...(horizonEpochs !== undefined && { horizonEpochs }) },
        }
        const toReply = ({ plan, yields }: PlanDecision) => ({
          reply: {
            ...toPlanReply(plan, view, { validUntil: plannedUntil(view.snapshot, now), sender: body.owner }),
            ...costs(yields, plan.summary.projectedWeightedApy, {
              actions: plan.calls.map(({ call }) => (call.kind === 'stakes' ? 'stake' : call.kind)),
              sender: body.owner,
              now,
            }),
            ...commonFields(view, [...assumptions, ...plan.assumptions], caller.agent.tier),
          },
        })
        return decideSoon(
          () => decidePlan(market, question),
          () => decideAside(market, question, { group: client, member: String(caller.agent.no) }, signal()),
          { toReply, explain },
        )
      },
    },
  } satisfies Endpoints
}

const NOTHING_HELD: HeldTokens = { tokens: [], assumptions: [] }

/** The contract allows positions or owner, not both. */
function toHeld(
  field: string,
  positions: Checked<'planRebalance'>['positions'],
  owner: string | undefined,
): HeldRequest | undefined {
  if (owner !== undefined) return { kind: 'owner', owner }
  return (
    positions && {
      kind: 'positions',
      field,
      positions: positions.map((position) => ({ ...position, principal: BigInt(position.principal) })),
    }
  )
}
