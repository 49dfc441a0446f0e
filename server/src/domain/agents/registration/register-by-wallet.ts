import type { RedeemedChallenge } from '#ports/chain/wallets.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents, AgentType, NewAgent } from '#ports/stores/agents.ts'
import type { UserTokens } from '#ports/stores/users.ts'
import { currentAgent, registeredAgent } from '../current-agent.ts'
import { issueKey } from '../keys/api-key.ts'
import { actorOf, circumstances, type Once, type Origin } from '../manager.ts'
import type { Tiers } from '../tier.ts'
import { agentLimitAt, agentLimitReached } from './agent-limit.ts'
import type { Registered } from './register-agent.ts'
import { type RegistrationQuota, registrationLimits, registrationRefused } from './registration-limits.ts'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly quota: RegistrationQuota
  readonly perOwner: number
  readonly userIdOf: UserTokens['userIdOf']
}

type Registration = {
  /** The challenge that the wallet of its address has signed. */
  readonly challenge: RedeemedChallenge
  readonly agentName: string
  readonly agentType: AgentType
  readonly origin: Origin
}

/**
 * Registers an agent that is active at once: the signature has proven the owner. The limits are those of
 * self-registration. Undefined if the challenge was used meanwhile.
 */
export function registerByWallet({ agents, secrets, clock, tiers, quota, perOwner, userIdOf }: Needs) {
  return async (input: Registration, once?: Once<Registered>): Promise<Registered | undefined> => {
    const now = clock.now()
    const { challenge, origin } = input
    const { address } = challenge
    const { apiKey, record: key } = issueKey(secrets)
    const agent: NewAgent = {
      id: secrets.newAgentId(),
      owner: address,
      name: input.agentName,
      type: input.agentType,
      walletAddress: address,
      identityTier: 'wallet_verified',
      tier: 'free',
      storedStatus: 'active',
      customLimits: undefined,
      createdAt: now,
      verifyBy: undefined,
      verifiedAt: now,
      key,
    }
    const limits = registrationLimits(quota, secrets.digest('address', origin.client), now)
    const registered = { agent: currentAgent(registeredAgent(agent), tiers, now), apiKey }
    const completed = once && { ...once, answer: once.answer(registered) }
    const user = { id: userIdOf(address), email: undefined, wallet: address, role: 'user' } as const
    const record = { action: 'self-register', ...circumstances(actorOf(user), origin, now) } as const
    const outcome = await agents.registerWithin(agent, limits, record, {
      agentLimit: agentLimitAt(perOwner, now),
      completed,
      challenge,
    })
    if (outcome.kind === 'challenge_used') return undefined
    if (outcome.kind === 'agent_limit_reached') throw agentLimitReached(perOwner)
    if (outcome.kind === 'limited') throw registrationRefused(outcome, now)
    return registered
  }
}
