import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents, NewAgent } from '#ports/stores/agents.ts'
import { TRANSITIONS } from '../agent-state.ts'
import { type CurrentAgent, currentAgent, registeredAgent } from '../current-agent.ts'
import { issueKey } from '../keys/api-key.ts'
import type { Tiers } from '../tier.ts'
import { registrationRefused, sandboxKeyLimits } from './registration-limits.ts'

/** The owner of every sandbox agent. It is no e-mail address, so no user's token owns these agents. */
const SANDBOX_OWNER = 'sandbox'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly perIpHour: number
}

type Request = {
  readonly agentName: string
  /** The network address it comes from, as the throttle counts it. */
  readonly ip: string
}

/** A builder key that works at once. Only the simulated chain may offer it: there it costs nobody anything. */
export function issueSandboxKey({ agents, secrets, clock, tiers, perIpHour }: Needs) {
  return async ({ agentName, ip }: Request): Promise<{ agent: CurrentAgent; apiKey: string }> => {
    const now = clock.now()
    const { apiKey, record } = issueKey(secrets)
    const agent: NewAgent = {
      id: secrets.newAgentId(),
      owner: SANDBOX_OWNER,
      name: agentName,
      type: 'other',
      walletAddress: undefined,
      identityTier: 'unverified',
      tier: 'builder',
      storedStatus: 'active',
      customLimits: undefined,
      createdAt: now,
      verifyBy: undefined,
      verifiedAt: undefined,
      key: record,
    }
    const limits = sandboxKeyLimits(perIpHour, secrets.digest('address', ip), now)
    const outcome = await agents.registerWithin(agent, limits)
    if (outcome.kind === 'no_room') throw new Error('sandbox keys have no owner to count for')
    if (outcome.kind === 'limited') throw registrationRefused(outcome, now)
    return { agent: currentAgent(registeredAgent(agent), tiers, now), apiKey }
  }
}

/**
 * For a service on a real network: sandbox keys that its store has from an earlier start must not work there.
 * Resolves with how many were revoked.
 */
export function revokeSandboxKeys({ agents, clock }: Pick<Needs, 'agents' | 'clock'>) {
  return (): Promise<number> => agents.revokeAll(SANDBOX_OWNER, TRANSITIONS.revoke, clock.now())
}
