import { LIMITS, type Reply, TIERS, type Tier } from '@stakewright/contract'
import { remaining } from '#domain/limits/window.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { ScoredValidator } from '#domain/staking/score.ts'
import { SCORING } from '#domain/staking/scoring-rules.ts'
import type { ChainSnapshot } from '#ports/staking-chain.ts'
import { Fault } from '../../fault.ts'
import { prepare, rememberLast } from '../conditional.ts'
import type { Endpoints } from '../serve-endpoints.ts'
import { toIso, toPercent, toRate } from './public-shapes.ts'

type Needs = { readonly network: CurrentNetwork }

const UNITS = {
  amount: 'string, whole number of smallest units',
  apy: 'percent per 365 days',
  commissionRate: 'fraction 0…1',
  weight: 'fraction 0…1',
  uptime: 'fraction 0…1',
  progress: 'fraction 0…1',
  score: '0…100',
  '*Ms': 'milliseconds',
  '*At': 'ISO-8601, UTC',
  'X-RateLimit-Reset': 'Unix seconds',
}

/** What an agent asks about the network and about itself. */
export function agentDataEndpoints({ network }: Needs) {
  const metadata = rememberLast(
    (snapshot: ChainSnapshot) => snapshot.system,
    (snapshot) => prepare(toMetadata(snapshot)).bytes,
  )
  return {
    metadata: {
      needs: 'data',
      handle: () => ({ answer: { body: metadata(network.read().snapshot) } }),
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
      needs: 'data',
      handle: ({ validators: wanted }, { caller }) => {
        const view = network.read()
        const { listed, unknown } = wanted === undefined ? visibleTo(caller.agent.tier) : named(wanted)
        return {
          reply: {
            validators: listed.map(toScored),
            unknown,
            epoch: view.snapshot.epoch.number,
            dataAgeSeconds: network.ageSeconds(view),
            tierDetail: caller.agent.tier,
            scoreVersion: SCORING.version,
          },
        }

        function visibleTo(tier: Tier) {
          const scorable = view.scored.filter(({ quality }) => quality.epochs > 0)
          return { listed: scorable.slice(0, TIERS[tier].visibleValidators), unknown: [] }
        }

        function named(list: string) {
          const ids = toIds(list)
          const found = ids.map((id) => ({ id, scored: view.byId.get(id) }))
          return {
            listed: found.flatMap(({ scored }) => scored ?? []),
            unknown: found.flatMap(({ id, scored }) => (scored ? [] : [id])),
          }
        }
      },
    },
  } satisfies Endpoints
}

function toIds(list: string): readonly string[] {
  const ids = [...new Set(list.split(',').map((id) => id.trim()))].filter((id) => id !== '')
  const problem =
    ids.length === 0
      ? 'must name at least one validator id, or be left out'
      : ids.length > LIMITS.scoredIds
        ? `must name at most ${LIMITS.scoredIds} validator ids`
        : undefined
  if (problem === undefined) return ids
  throw new Fault('invalid_input', `\`validators\` ${problem}.`, {
    details: [{ field: 'validators', message: problem }],
  })
}

function toScored(scored: ScoredValidator): Reply<'scoredValidators'>['validators'][number] {
  const { validator, score, apy, uptime, components, closedGates } = scored
  return {
    validatorId: validator.id,
    name: validator.name,
    score,
    apy: apy === undefined ? null : toPercent(apy.apy),
    commissionRate: toRate(validator.commissionBps),
    totalStake: String(validator.stake),
    uptime: uptime === undefined ? null : toPercent(uptime),
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
