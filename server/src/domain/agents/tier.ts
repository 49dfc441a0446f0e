import type { Agent, RateLimits, Tier } from '#ports/stores/agents.ts'

/** The limits that come with each tier. */
export type Tiers = Readonly<Record<Tier, RateLimits>>

/** The limits that hold for an agent: those an admin has set for it, or its tier's. */
export function limitsOf(agent: Pick<Agent, 'tier' | 'customLimits'>, tiers: Tiers): RateLimits {
  const { rpm, rpd } = agent.customLimits ?? tiers[agent.tier]
  return { rpm, rpd }
}

/** What users may give themselves; the other tiers are an admin's to give. */
export const SELF_SERVICE_TIERS: readonly Tier[] = ['free', 'builder']
