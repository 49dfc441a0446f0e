import type { Reply } from '@stakewright/contract'
import type { CurrentAgent } from '#domain/agents/current-agent.ts'
import { toIso } from './public-shapes.ts'

/** Agents as the API writes them. */

type AgentItem = Reply<'listAgents'>['data'][number]
type AgentKey = Reply<'registerAgent'>['data']

/** Keys read and build; they never sign, whatever their tier. */
const PERMISSIONS: AgentKey['permissions'] = ['read']

const toIsoOrNull = (at: number | undefined): string | null => (at === undefined ? null : toIso(at))

export function toItem(agent: CurrentAgent): AgentItem {
  return {
    id: agent.id,
    agentName: agent.name,
    agentType: agent.type,
    identityTier: agent.identityTier,
    tier: agent.tier,
    status: agent.status,
    keyPrefix: agent.keyPrefix,
    rateLimits: agent.limits,
    permissions: PERMISSIONS,
    createdAt: toIso(agent.createdAt),
    verifiedAt: toIsoOrNull(agent.verifiedAt),
    lastUsedAt: toIsoOrNull(agent.lastUsedAt),
    rotatedAt: toIsoOrNull(agent.rotatedAt),
    revokedAt: toIsoOrNull(agent.revokedAt),
  }
}

/** The one answer that has the key itself. */
export function toKey(agent: CurrentAgent, apiKey: string, warning: string): AgentKey {
  const { id, keyPrefix, tier, status, limits } = agent
  return { id, apiKey, keyPrefix, tier, status, rateLimits: limits, permissions: PERMISSIONS, warning }
}
