import type { Reply } from '@stakewright/contract'
import { ROUTES } from '@stakewright/contract/routes'
import type { NetworkView } from '#domain/network/network-view.ts'
import { ruleChangeIn, startOfEpoch, stateOf } from '#domain/staking/epoch-rules.ts'
import type { BuilderCall, RebalanceCall } from '#domain/staking/rebalance/calls.ts'
import { isRequested, tokenValue } from '#domain/staking/rebalance/held-token.ts'
import type { RebalancePlan } from '#domain/staking/rebalance/plan-rebalance.ts'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { toIso } from '../../../basics/iso-time.ts'
import { toPercent, toRange } from '../shapes.ts'

type PlanPart = Omit<
  Reply<'planRebalance'>,
  | 'assumptions'
  | 'epoch'
  | 'dataAgeSeconds'
  | 'nextChangeAt'
  | 'symbol'
  | 'decimals'
  | 'historyComplete'
  | 'snapshotId'
>

type Terms = {
  readonly validUntil: number
  /** The signer, if the request names it. */
  readonly sender: string | undefined
}

export function toPlanReply(plan: RebalancePlan, view: NetworkView, { validUntil, sender }: Terms): PlanPart {
  const { snapshot, byId } = view
  const nameOf = (id: string) => byId.get(id)?.validator.name ?? null
  const { currentPositions, steps, calls, timeline, summary, certificate } = plan
  return {
    currentPositions: currentPositions.map(({ token, currentApy }) => ({
      validator: token.validatorId,
      name: nameOf(token.validatorId),
      stakedAmount: String(token.principal),
      currentApy: toPercent(currentApy),
      stakedTokenId: token.stakedTokenId,
      rewards: String(token.rewards),
      state: stateOf(token, snapshot.epoch.number),
    })),
    steps: steps.map(({ validatorId, amount, rewards, ...step }) => ({
      ...step,
      validator: validatorId,
      name: nameOf(validatorId),
      amount: String(amount),
      ...(rewards !== undefined && { rewards: String(rewards) }),
    })),
    calls: calls.map((call) => toCall(call, snapshot, { validUntil, sender })),
    timeline: timeline.map(({ epoch, requested, withdrawn, restaked, left }) => ({
      epoch,
      startsAt: toIso(startOfEpoch(snapshot, epoch)),
      requested: String(requested),
      withdrawn: String(withdrawn),
      restaked: String(restaked),
      left: String(left),
    })),
    validUntil: toIso(validUntil),
    summary: {
      ...summary,
      currentWeightedApy: toPercent(summary.currentWeightedApy),
      projectedWeightedApy: toPercent(summary.projectedWeightedApy),
      range: toRange(view, summary.projectedWeightedApy, weightsAfter(plan)),
      breakEvenEpochs: summary.breakEvenEpochs ?? null,
    },
    certificate,
  }
}

/** The share of each validator in the total stake after all steps. */
function weightsAfter({ currentPositions, steps }: RebalancePlan): readonly number[] {
  const held = new Map<string, number>()
  const add = (id: string, amount: number): void => {
    held.set(id, (held.get(id) ?? 0) + amount)
  }
  for (const { token } of currentPositions) {
    if (!isRequested(token)) add(token.validatorId, Number(tokenValue(token)))
  }
  for (const { action, validatorId, amount, rewards = 0n } of steps) {
    add(validatorId, Number(action === 'stake' ? amount : -amount - rewards))
  }
  const parts = [...held.values()].filter((amount) => amount > 0)
  const total = parts.reduce((sum, amount) => sum + amount, 0)
  return parts.map((amount) => amount / total)
}

function toCall(
  { order, epoch, call, paysOut }: RebalanceCall,
  snapshot: ChainSnapshot,
  { validUntil, sender }: Terms,
) {
  const isLater = epoch > snapshot.epoch.number
  const { body, ...request } = toRequest(call)
  return {
    order,
    epoch,
    notBefore: toIso(isLater ? startOfEpoch(snapshot, epoch) : snapshot.checkpointAt),
    before: toIso(isLater ? ruleChangeIn(snapshot, epoch) : validUntil),
    method: 'POST' as const,
    ...request,
    body: { ...body, ...(sender !== undefined && { sender }) },
    paysOut: String(paysOut),
  }
}

function toRequest(call: BuilderCall) {
  if (call.kind === 'stake') {
    const { validatorId, amount } = call
    return { path: ROUTES.buildStake.path, body: { validatorId, amount: String(amount) } }
  }
  if (call.kind === 'stakes') {
    const items = call.stakes.map(({ validatorId, amount }) => ({
      action: 'stake' as const,
      validatorId,
      amount: String(amount),
    }))
    return { path: ROUTES.buildBatch.path, body: { items } }
  }
  if (call.kind === 'unstake') {
    const { stakedTokenId, amount } = call
    const body = amount === undefined ? { stakedTokenId } : { stakedTokenId, amount: String(amount) }
    return { path: ROUTES.buildUnstake.path, body }
  }
  const { path } = ROUTES.buildWithdraw
  return call.token.kind === 'known'
    ? { path, body: { stakedTokenId: call.token.stakedTokenId } }
    : { path, body: {}, tokenOfCall: call.token.byCall }
}
