import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents, AgentType, NewAgent } from '#ports/stores/agents.ts'
import { currentAgent, registeredAgent } from '../current-agent.ts'
import { issueKey } from '../keys/api-key.ts'
import type { Once } from '../manager.ts'
import type { Tiers } from '../tier.ts'
import { noRoom, roomAt } from './owner-room.ts'
import type { Registered } from './register-agent.ts'
import { type RegistrationQuota, registrationLimits, registrationRefused } from './registration-limits.ts'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly quota: RegistrationQuota
  readonly perOwner: number
}

type Registration = {
  /** The address, which is proven already. */
  readonly address: string
  readonly agentName: string
  readonly agentType: AgentType
  /** The network address it comes from, as the throttle counts it. */
  readonly ip: string
}

/** Active at once: the signature has proven who owns it. The limits are those of self-registration. */
export function registerByWallet({ agents, secrets, clock, tiers, quota, perOwner }: Needs) {
  return async (input: Registration, once?: Once<Registered>): Promise<Registered> => {
    const now = clock.now()
    const { apiKey, record } = issueKey(secrets)
    const agent: NewAgent = {
      id: secrets.newAgentId(),
      owner: input.address,
      name: input.agentName,
      type: input.agentType,
      walletAddress: input.address,
      identityTier: 'wallet_verified',
      tier: 'free',
      storedStatus: 'active',
      customLimits: undefined,
      createdAt: now,
      verifyBy: undefined,
      verifiedAt: now,
      key: record,
    }
    const limits = registrationLimits(quota, secrets.digest('address', input.ip), now)
    const registered = { agent: currentAgent(registeredAgent(agent), tiers, now), apiKey }
    const done = once && { ...once, answer: once.answer(registered) }
    const outcome = await agents.registerWithin(agent, limits, roomAt(perOwner, now), done)
    if (outcome.kind === 'no_room') throw noRoom(perOwner)
    if (outcome.kind === 'limited') throw registrationRefused(outcome, now)
    return registered
  }
}
