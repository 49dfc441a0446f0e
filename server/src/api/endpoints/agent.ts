import { type Reply, TIERS, type Tier } from '@stakewright/contract'
import { remaining } from '#domain/limits/window.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { ScoredValidator } from '#domain/staking/scoring/score.ts'
import { SCORING } from '#domain/staking/scoring/scoring-rules.ts'
import type { ChainSnapshot } from '#ports/staking-chain.ts'
import type { Answer } from '../answer.ts'
import { rememberLast } from '../cached-answer.ts'
import type { Endpoints } from '../endpoint.ts'
import { toIso, toPercent, toRate, toUptime } from './shapes.ts'

type Needs = { readonly network: CurrentNetwork }

type ScoredReply = Reply<'scoredValidators'>
type FoundValidators = { readonly json: string; readonly unknown: string[] }
type Written = { readonly rest: string; readonly answer: Answer }

/** Plain ASCII: an answer with any other character in it is twice as long in memory, and slower to send. */
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

/** What an agent asks about the network and about itself. */
export function agentEndpoints({ network }: Needs) {
  const metadata = rememberLast(
    (snapshot: ChainSnapshot) => snapshot.system,
    (snapshot): Answer => ({ body: JSON.stringify(toMetadata(snapshot)), isShared: true }),
  )
  const visibleLists = rememberLast(
    (view: NetworkView) => view.scored,
    (view) => {
      const lists = new Map<Tier, FoundValidators>()
      return (tier: Tier): FoundValidators => {
        const list = lists.get(tier) ?? findVisible(view, tier)
        lists.set(tier, list)
        return list
      }
    },
  )
  const written = new WeakMap<FoundValidators, Written>()

  /** The list is long, and for a second everybody of a tier gets the same: it is written once for all of them. */
  function writeOnce(found: FoundValidators, rest: Omit<ScoredReply, 'validators'>): Answer {
    const text = JSON.stringify(rest)
    const last = written.get(found)
    if (last?.rest === text) return last.answer
    const answer: Answer = { body: write(found, text), isShared: true }
    written.set(found, { rest: text, answer })
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
      handle: ({ validators: wanted }, { caller: { agent } }) => {
        const view = network.read()
        const found = wanted === undefined ? visibleLists(view)(agent.tier) : findNamed(view, wanted)
        const rest = {
          unknown: found.unknown,
          epoch: view.snapshot.epoch.number,
          dataAgeSeconds: network.ageSeconds(view),
          tierDetail: agent.tier,
          scoreVersion: SCORING.version,
        }
        if (wanted !== undefined) return { answer: { body: write(found, JSON.stringify(rest)) } }
        return { answer: writeOnce(found, rest) }
      },
    },
  } satisfies Endpoints
}

/** `rest` is an object, too, of which these validators become the first member. */
const write = ({ json }: FoundValidators, rest: string): string => `{"validators":${json},${rest.slice(1)}`

function findVisible(view: NetworkView, tier: Tier): FoundValidators {
  const scorable = view.scored.filter(({ quality }) => quality.epochs > 0)
  return toFound(scorable.slice(0, TIERS[tier].visibleValidators), [])
}

function findNamed(view: NetworkView, ids: readonly string[]): FoundValidators {
  return toFound(
    ids.flatMap((id) => view.byId.get(id) ?? []),
    ids.filter((id) => !view.byId.has(id)),
  )
}

const toFound = (listed: readonly ScoredValidator[], unknown: string[]): FoundValidators => ({
  json: JSON.stringify(listed.map(toScored)),
  unknown,
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
