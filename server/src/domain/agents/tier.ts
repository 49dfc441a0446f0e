import type { Agent, RateLimits, Tier } from '#ports/stores/agents.ts'

/** The limits that come with each tier. */
export type Tiers = Readonly<Record<Tier, RateLimits>>

/** The effective limits of an agent: its custom limits, or those of its tier. */
export function limitsOf(agent: Pick<Agent, 'tier' | 'customLimits'>, tiers: Tiers): RateLimits {
  const { rpm, rpd } = agent.customLimits ?? tiers[agent.tier]
  return { rpm, rpd }
}

/** The tiers that users may choose themselves; other tiers are assigned by an admin. */
export const SELF_SERVICE_TIERS: readonly Tier[] = ['free', 'builder']
