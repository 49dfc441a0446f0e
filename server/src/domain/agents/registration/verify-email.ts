import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents } from '#ports/stores/agents.ts'
import { call, refusal } from '../../../fault.ts'
import { digestAddress, digestNetwork } from '../../users/sign-in-code.ts'
import { TRANSITIONS } from '../agent-state.ts'
import { type CurrentAgent, currentAgent } from '../current-agent.ts'
import { ANYBODY, circumstances, type Origin } from '../manager.ts'
import type { Tiers } from '../tier.ts'
import { agentLimitAt, agentLimitReached } from './agent-limit.ts'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly perOwner: number
}

const unusable = () =>
  refusal(
    'invalid_input',
    'This link does not work, or not any more.',
    `Have a new one sent with ${call('resendVerification')}, or register again.`,
    { next: { endpoint: 'resendVerification' } },
  )

/**
 * Activates an agent. Unknown, expired and mistyped tokens get the same answer, which reveals nothing about others.
 */
export function verifyEmail({ agents, secrets, clock, tiers, perOwner }: Needs) {
  return async (token: string, origin: Origin): Promise<CurrentAgent> => {
    const now = clock.now()
    const record = { action: 'activate', ...circumstances(ANYBODY, origin, now) } as const
    const digest = secrets.digest('token', token)
    const outcome = await agents.verify(digest, TRANSITIONS.verify, now, record, {
      agentLimit: agentLimitAt(perOwner, now),
      provenFrom: (owner) => ({
        addressDigest: digestAddress(secrets, owner),
        networkDigest: digestNetwork(secrets, owner, origin.client),
      }),
    })
    if (outcome.kind === 'agent_limit_reached') throw agentLimitReached(perOwner)
    if (outcome.kind !== 'verified') throw unusable()
    return currentAgent(outcome.agent, tiers, now)
  }
}
