import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents, NewAgent, RateLimits } from '#ports/stores/agents.ts'
import { TRANSITIONS } from '../agent-state.ts'
import { type CurrentAgent, currentAgent, registeredAgent } from '../current-agent.ts'
import { issueKey } from '../keys/api-key.ts'
import { ANYBODY, circumstances, OPERATOR, type Origin } from '../manager.ts'
import type { Tiers } from '../tier.ts'
import { registrationRefused, sandboxKeyLimits } from './registration-limits.ts'

/** The owner of every sandbox agent. It is no e-mail address, so no user's token owns these agents. */
const SANDBOX_OWNER = 'sandbox'

/**
 * The owner of an agent's stake in the sandbox: all agents of its owner share it; without an owner, the agent has its
 * own.
 */
export const stakeOwnerOf = ({ id, owner }: Pick<CurrentAgent, 'id' | 'owner'>): string =>
  owner === SANDBOX_OWNER ? id : owner

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly perIpHour: number
  /** The rate limits of each key, instead of those of its tier. */
  readonly limits: RateLimits
}

type Request = {
  readonly agentName: string
  readonly origin: Origin
}

/** Issues a builder key that works at once. Only for the simulated chain, where it cannot cost anybody anything. */
export function issueSandboxKey({ agents, secrets, clock, tiers, perIpHour, limits: customLimits }: Needs) {
  return async ({ agentName, origin }: Request): Promise<{ agent: CurrentAgent; apiKey: string }> => {
    const now = clock.now()
    const { apiKey, record: key } = issueKey(secrets)
    const agent: NewAgent = {
      id: secrets.newAgentId(),
      owner: SANDBOX_OWNER,
      name: agentName,
      type: 'other',
      walletAddress: undefined,
      identityTier: 'unverified',
      tier: 'builder',
      storedStatus: 'active',
      customLimits,
      createdAt: now,
      verifyBy: undefined,
      verifiedAt: undefined,
      key,
    }
    const limits = sandboxKeyLimits(perIpHour, secrets.digest('address', origin.client), now)
    const record = { action: 'create-sandbox-key', ...circumstances(ANYBODY, origin, now) } as const
    const outcome = await agents.registerWithin(agent, limits, record)
    if (outcome.kind === 'agent_limit_reached') throw new Error('sandbox keys have no owner to count for')
    if (outcome.kind === 'limited') throw registrationRefused(outcome, now)
    return { agent: currentAgent(registeredAgent(agent), tiers, now), apiKey }
  }
}

/** The origin of the revocation: the operator has configured another network. */
const AT_START: Origin = { client: 'localhost', via: 'cli' }

/**
 * Revokes all sandbox keys, for a service on a real network whose store has keys from an earlier start. Resolves with
 * their number.
 */
export function revokeSandboxKeys({ agents, clock }: Pick<Needs, 'agents' | 'clock'>) {
  return (): Promise<number> => {
    const now = clock.now()
    const record = { action: 'revoke', ...circumstances(OPERATOR, AT_START, now) } as const
    return agents.revokeAll(SANDBOX_OWNER, TRANSITIONS.revoke, now, record)
  }
}
