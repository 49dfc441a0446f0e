import type { Agent, NewAgent, RateLimits } from '#ports/stores/agents.ts'
import { type Status, statusAt } from './agent-state.ts'
import { limitsOf, type Tiers } from './tier.ts'

/** An agent at a given time: its state by the clock, and its effective limits. */
export type CurrentAgent = Omit<Agent, 'storedStatus' | 'customLimits' | 'verifyBy'> & {
  readonly status: Status
  readonly limits: RateLimits
}

export function currentAgent(agent: Agent, tiers: Tiers, now: number): CurrentAgent {
  const { storedStatus, customLimits, verifyBy, ...rest } = agent
  return {
    ...rest,
    status: statusAt({ storedStatus, verifyBy }, now),
    limits: limitsOf({ tier: agent.tier, customLimits }, tiers),
  }
}

/** The stored agent that a registration results in. */
export function registeredAgent({ key, ...agent }: NewAgent): Agent {
  const untouched = { lastUsedAt: undefined, rotatedAt: undefined, revokedAt: undefined }
  return { ...agent, ...untouched, keyPrefix: key.prefix }
}
