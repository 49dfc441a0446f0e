import assert from 'node:assert/strict'
import { PREVIOUS_KEY_ID, type Reply } from '@stakewright/contract'
import type { AgentWithStanding } from '#domain/agents/agent-standings.ts'
import type { CurrentAgent } from '#domain/agents/current-agent.ts'
import type { CommissionHistory } from '#domain/network/commission-history.ts'
import { isComplete } from '#domain/network/history.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { HistoryPage } from '#domain/network/read-history.ts'
import type { Uptime } from '#domain/network/uptime.ts'
import type { Breach } from '#domain/policy/wish.ts'
import { nextRuleChange } from '#domain/staking/epoch-rules.ts'
import { rangeAround } from '#domain/staking/forecast/calibration.ts'
import { RANGE_EPOCHS } from '#domain/staking/forecast/current-calibration.ts'
import type { ScoredValidator } from '#domain/staking/scoring/score.ts'
import type { WalletProof } from '#domain/users/wallet-proof.ts'
import type { ChainSnapshot, Validator } from '#ports/chain/staking-chain.ts'
import { toIso } from '../../basics/iso-time.ts'

/** Converts domain values to those of the API: amounts to strings, rates to fractions, times to ISO-8601. */

export const toRate = (bps: number): number => bps / 10_000
/** Rounded to 6 decimals: more are noise of the estimate, and would make equal answers differ. */
export const toPercent = (value: number): number => Math.round(value * 1e6) / 1e6

export const toTokenUnit = ({ token: { symbol, decimals } }: ChainSnapshot) => ({ symbol, decimals })

/** Whether the history of past epochs is complete. */
export const toHistoryState = ({ history, snapshot }: NetworkView) => ({
  historyComplete: isComplete(history, snapshot.epoch.number),
})

export const toNextChangeAt = (snapshot: ChainSnapshot): string => toIso(nextRuleChange(snapshot))

/** The range around a projection; null if the network's history is too short to calibrate it. */
export function toRange(view: NetworkView, apy: number, weights?: readonly number[]) {
  const calibration = view.calibration(RANGE_EPOCHS)
  if (!calibration) return null
  const range = rangeAround(calibration, apy, weights)
  return { ...range, low: toPercent(range.low), high: toPercent(range.high) }
}

export function toValidator(scored: ScoredValidator) {
  const { validator, apy, uptime, score, components, closedGates, quality } = scored
  return {
    id: validator.id,
    name: validator.name,
    status: validator.status,
    totalStake: String(validator.stake),
    commissionRate: toRate(validator.commissionBps),
    stakingRewards: String(validator.unclaimedRewards),
    withdrawingStake: String(validator.withdrawingStake),
    claimableStake: validator.claimableStake === undefined ? null : String(validator.claimableStake),
    apy: apy === undefined ? null : toPercent(apy.apy),
    ...toUptime(uptime),
    score: quality.epochs === 0 ? null : score,
    components: quality.epochs === 0 ? null : components,
    ineligible: [...closedGates],
    pendingStake: String(validator.pendingStake),
    nextCommissionRate: toRate(validator.nextCommissionBps),
    ...toFacts(validator),
    nextShards: scored.nextShards ?? null,
  } satisfies Reply<'validators'>['data'][number]
}

function toFacts({ nextStake, inNextCommittee, facts }: Validator) {
  return {
    nextCommissionEpoch: facts?.commissionChangesAt ?? null,
    nextStake: String(nextStake),
    inNextCommittee: inNextCommittee ?? null,
    votingPower: facts?.votingPower ?? null,
    shards: facts?.shards ?? null,
    reportedBy: facts?.reportedBy ?? null,
    atRiskEpochs: facts?.atRiskEpochs ?? null,
  }
}

function toSelfDescription({ facts }: Validator) {
  const votes = facts?.votes
  return {
    description: facts?.description ?? null,
    imageUrl: facts?.imageUrl ?? null,
    projectUrl: facts?.projectUrl ?? null,
    votes: votes
      ? {
          storagePrice: String(votes.storagePrice),
          writePrice: String(votes.writePrice),
          nodeCapacity: String(votes.nodeCapacity),
        }
      : null,
  }
}

/** Value and source are sent together. */
export const toUptime = (uptime: Uptime | undefined) => ({
  uptime: uptime === undefined ? null : toPercent(uptime.share),
  uptimeSource: uptime?.source ?? null,
})

export function toValidatorDetail(
  scored: ScoredValidator,
  view: NetworkView,
  dataAgeSeconds: number,
): Reply<'validator'> {
  const { snapshot } = view
  return {
    ...toValidator(scored),
    ...toSelfDescription(scored.validator),
    epoch: snapshot.epoch.number,
    dataAgeSeconds,
    nextChangeAt: toNextChangeAt(snapshot),
    ...toTokenUnit(snapshot),
    ...toHistoryState(view),
  }
}

export function toHistoryPage({ points, total }: HistoryPage, view: NetworkView): Reply<'apyHistory'> {
  const { snapshot } = view
  return {
    data: points.map((point) => ({
      epoch: point.epoch,
      timestamp: toIso(point.endedAt),
      apy: toPercent(point.apy),
      commissionRate: toPercent(point.commissionRate),
      totalStake: String(point.totalStake),
      performed: point.performed ?? null,
      shards: point.shards ?? null,
      exchangeRate: point.rate
        ? { tokens: String(point.rate.tokens), shares: String(point.rate.shares) }
        : null,
    })),
    total,
    epoch: snapshot.epoch.number,
    nextChangeAt: toNextChangeAt(snapshot),
    ...toTokenUnit(snapshot),
    ...toHistoryState(view),
  }
}

export function toCommissionHistory(
  { changes, present, announced, highest, firstEpoch, assumed }: CommissionHistory,
  view: NetworkView,
): Reply<'validatorCommissionHistory'> {
  const { snapshot } = view
  return {
    data: changes.map(({ epoch, endedAt, commissionBps, commissionSource }) => ({
      epoch,
      timestamp: toIso(endedAt),
      commissionRate: toRate(commissionBps),
      source: commissionSource,
    })),
    commissionRate: toRate(present),
    announced: announced
      ? { commissionRate: toRate(announced.commissionBps), epoch: announced.fromEpoch ?? null }
      : null,
    highest: toRate(highest),
    firstEpoch: firstEpoch ?? null,
    assumedEpochs: [...assumed],
    epoch: snapshot.epoch.number,
    nextChangeAt: toNextChangeAt(snapshot),
    ...toHistoryState(view),
  }
}

type AgentItem = Reply<'listAgents'>['data'][number]
type AgentKey = Reply<'registerAgent'>['data']

/** Keys read and build; they never sign, whatever their tier. */
const PERMISSIONS: AgentKey['permissions'] = ['read']

export const toBrokenRule = ({ rule, limit, actual, clearsAt }: Breach) => ({
  rule,
  limit,
  actual,
  clearsAt: toIsoOrNull(clearsAt),
})

export const toIsoOrNull = (at: number | undefined): string | null => (at === undefined ? null : toIso(at))

export function toItem({ agent, standing }: AgentWithStanding): AgentItem {
  const { used, requestsPerDay, policy, previousKey } = standing
  return {
    id: agent.id,
    agentName: agent.name,
    owner: agent.owner,
    agentType: agent.type,
    identityTier: agent.identityTier,
    tier: agent.tier,
    status: agent.status,
    keyPrefix: agent.keyPrefix,
    previousKey: previousKey
      ? { id: PREVIOUS_KEY_ID, keyPrefix: previousKey.prefix, expiresAt: toIso(previousKey.validUntil) }
      : null,
    rateLimits: agent.limits,
    used,
    requestsPerDay,
    policy: policy ?? null,
    permissions: PERMISSIONS,
    createdAt: toIso(agent.createdAt),
    verifiedAt: toIsoOrNull(agent.verifiedAt),
    lastUsedAt: toIsoOrNull(agent.lastUsedAt),
    rotatedAt: toIsoOrNull(agent.rotatedAt),
    revokedAt: toIsoOrNull(agent.revokedAt),
  }
}

/** The only answer that contains the key itself. */
export function toKey(agent: CurrentAgent, apiKey: string, warning: string): AgentKey {
  const { id, keyPrefix, tier, status, limits } = agent
  return { id, apiKey, keyPrefix, tier, status, rateLimits: limits, permissions: PERMISSIONS, warning }
}

type ProofInput = Partial<Record<'address' | 'nonce' | 'signature', string | undefined>>

/** The contract allows all three fields or none. */
export function toWalletProof({ address, nonce, signature }: ProofInput): WalletProof {
  assert(address !== undefined && nonce !== undefined && signature !== undefined, 'the input was checked')
  return { address, nonce, signature }
}
