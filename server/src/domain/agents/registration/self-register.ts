import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents, AgentType, NewAgent } from '#ports/stores/agents.ts'
import { currentAgent, registeredAgent } from '../current-agent.ts'
import { issueKey } from '../keys/api-key.ts'
import { ANYBODY, circumstances, type Once, type Origin } from '../manager.ts'
import type { Tiers } from '../tier.ts'
import { toOwner } from './email.ts'
import type { Registered } from './register-agent.ts'
import { type RegistrationQuota, registrationLimits, registrationRefused } from './registration-limits.ts'
import { newVerification, type VerificationRules } from './verification.ts'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly verification: VerificationRules
  readonly quota: RegistrationQuota
}

type Registration = {
  readonly email: string
  readonly agentName: string
  readonly agentType: AgentType
  readonly walletAddress: string | undefined
  readonly origin: Origin
}

/** Every registration makes a new agent, so its answer does not reveal whether the address is known. */
export function selfRegister({ agents, secrets, clock, tiers, verification, quota }: Needs) {
  return async (input: Registration, once?: Once<Registered>): Promise<Registered> => {
    const now = clock.now()
    const { origin } = input
    const owner = toOwner(input.email)
    const { apiKey, record: key } = issueKey(secrets)
    const link = newVerification(secrets, verification, { owner, ip: origin.client }, now)
    const agent: NewAgent = {
      id: secrets.newAgentId(),
      owner,
      name: input.agentName,
      type: input.agentType,
      walletAddress: input.walletAddress,
      identityTier: 'unverified',
      tier: 'free',
      storedStatus: 'pending_verification',
      customLimits: undefined,
      createdAt: now,
      verifyBy: link.token.expiresAt,
      verifiedAt: undefined,
      key,
    }
    const limits = registrationLimits(quota, secrets.digest('address', origin.client), now)
    const registered = { agent: currentAgent(registeredAgent(agent), tiers, now), apiKey }
    const completed = once && { ...once, answer: once.answer(registered) }
    const record = { action: 'self-register', ...circumstances(ANYBODY, origin, now) } as const
    const outcome = await agents.selfRegister({ agent, ...link, limits, record, completed })
    if (outcome.kind === 'limited') throw registrationRefused(outcome, now)
    return registered
  }
}
