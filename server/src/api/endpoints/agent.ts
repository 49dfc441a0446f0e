import { type Reply, TIERS, type Tier } from '@stakewright/contract'
import { remaining } from '#domain/limits/window.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { ScoredValidator } from '#domain/staking/scoring/score.ts'
import { SCORING } from '#domain/staking/scoring/scoring-rules.ts'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { toIso } from '../../basics/iso-time.ts'
import type { Answer } from '../answer.ts'
import { rememberLast } from '../cached-answer.ts'
import type { Endpoints } from '../endpoint.ts'
import { arrangeReply, isPlain } from '../lists/arrange-list.ts'
import { passesFilters } from '../lists/filter-validators.ts'
import { toHistoryState, toNextChangeAt, toPercent, toRate, toTokenUnit, toUptime } from './shapes.ts'

type Needs = {
  readonly network: CurrentNetwork
  /** Requests per minute that one address may send. */
  readonly perAddress: number
}

type ScoredReply = Reply<'scoredValidators'>
type CachedList = { readonly version: string; readonly answer: Answer }

/** Plain ASCII, because one other character doubles the memory of the string and makes it slower to send. */
const UNITS = {
  amount: 'string, whole number of smallest units',
  apy: 'percent per 365 days',
  commissionRate: 'fraction from 0 to 1',
  weight: 'fraction from 0 to 1',
  uptime: 'fraction from 0 to 1',
  progress: 'fraction from 0 to 1',
  score: 'from 0 to 100',
  '*Ms': 'milliseconds',
  '*At': 'ISO-8601, UTC',
  'X-RateLimit-Reset': 'Unix seconds',
}

/** Endpoints for agents: metadata, scores and their own usage. */
export function agentEndpoints({ network, perAddress }: Needs) {
  const metadata = rememberLast(
    (snapshot: ChainSnapshot) => snapshot.system,
    (snapshot): Answer => ({ body: JSON.stringify(toMetadata(snapshot)), isShared: true }),
  )
  const listsOf = rememberLast(
    (view: NetworkView) => view.scored,
    () => new Map<Tier, CachedList>(),
  )

  /** Cached per tier: the list is long and changes only with the view and `dataAgeSeconds`. */
  function visibleList(view: NetworkView, tier: Tier): Answer {
    const lists = listsOf(view)
    const listing = { view, tier, dataAgeSeconds: network.ageSeconds(view) }
    const version = `${view.snapshot.epoch.number} ${listing.dataAgeSeconds}`
    const cached = lists.get(tier)
    if (cached?.version === version) return cached.answer
    const body = JSON.stringify(toScoredReply(listing, visibleTo(view, tier), []))
    const answer: Answer = { body, isShared: true }
    lists.set(tier, { version, answer })
    return answer
  }

  return {
    metadata: {
      requires: 'data',
      handle: () => ({ answer: metadata(network.read().snapshot) }),
    },
    usage: {
      handle: (_, { caller: { agent, quota } }) => {
        const { visibleValidators, mayRebalance } = TIERS[agent.tier]
        return {
          reply: {
            tier: agent.tier,
            limits: { rpm: quota.limits.rpm, rpd: quota.limits.rpd },
            used: { rpm: quota.usedMinute, rpd: quota.usedDay },
            remaining: remaining(quota),
            addressRpm: perAddress,
            resetAt: { minute: toIso(quota.minuteEndsAt), day: toIso(quota.dayEndsAt) },
            features: {
              visibleValidators: Number.isFinite(visibleValidators) ? visibleValidators : null,
              rebalancing: mayRebalance,
            },
          },
        }
      },
    },
    scoredValidators: {
      requires: 'data',
      handle: ({ validators: wanted, ...request }, { caller: { agent } }) => {
        const view = network.read()
        const { tier } = agent
        if (wanted === undefined && isPlain(request)) return { answer: visibleList(view, tier) }
        const listed = wanted ? wanted.flatMap((id) => view.byId.get(id) ?? []) : visibleTo(view, tier)
        const unknown = wanted?.filter((id) => !view.byId.has(id)) ?? []
        const listing = { view, tier, dataAgeSeconds: network.ageSeconds(view) }
        const passing = listed.filter((one) => passesFilters(toListed(one), request))
        const reply = toScoredReply(listing, passing, unknown)
        return { answer: arrangeReply(reply, 'scoredValidators', request, wanted) }
      },
    },
  } satisfies Endpoints
}

function toListed({ validator, score }: ScoredValidator) {
  const { id, name, status, commissionBps, nextCommissionBps } = validator
  return { id, name, status, score, highestCommission: toRate(Math.max(commissionBps, nextCommissionBps)) }
}

function visibleTo(view: NetworkView, tier: Tier): readonly ScoredValidator[] {
  const scorable = view.scored.filter(({ quality }) => quality.epochs > 0)
  return scorable.slice(0, TIERS[tier].visibleValidators)
}

type Listing = { readonly view: NetworkView; readonly tier: Tier; readonly dataAgeSeconds: number }

const toScoredReply = (
  { view, tier, dataAgeSeconds }: Listing,
  listed: readonly ScoredValidator[],
  unknown: string[],
): ScoredReply => ({
  validators: listed.map(toScored),
  unknown,
  epoch: view.snapshot.epoch.number,
  dataAgeSeconds,
  tierDetail: tier,
  scoreVersion: SCORING.version,
  nextChangeAt: toNextChangeAt(view.snapshot),
  ...toTokenUnit(view.snapshot),
  ...toHistoryState(view),
})

function toScored(scored: ScoredValidator): ScoredReply['validators'][number] {
  const { validator, score, apy, uptime, components, closedGates } = scored
  return {
    validatorId: validator.id,
    name: validator.name,
    score,
    apy: apy === undefined ? null : toPercent(apy.apy),
    commissionRate: toRate(validator.commissionBps),
    totalStake: String(validator.stake),
    ...toUptime(uptime),
    components: {
      apy: toPercent(components.apy),
      uptime: toPercent(components.uptime),
      commission: toPercent(components.commission),
      gate: toPercent(components.gate),
    },
    ineligible: closedGates.map((gate) => SCORING.gates[gate]),
  }
}

function toMetadata({ chainName, token, system, epoch }: ChainSnapshot): Reply<'metadata'> {
  return {
    network: chainName,
    minStakeAmount: String(token.minStake),
    decimals: token.decimals,
    coinType: token.coinType,
    stakedTokenType: token.stakedTokenType,
    systemObjectId: system.objectId,
    epochDurationMs: epoch.durationMs,
    minValidatorJoiningStake: String(system.minValidatorJoiningStake),
    symbol: token.symbol,
    units: UNITS,
  }
}
