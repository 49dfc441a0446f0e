import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agent, Agents, AgentType, NewAgent, RateLimits, Tier } from '#ports/stores/agents.ts'
import type { User } from '#ports/stores/users.ts'
import { call, Fault, refusal, wrongField } from '../../../fault.ts'
import { TRANSITIONS } from '../agent-state.ts'
import { type CurrentAgent, currentAgent, registeredAgent } from '../current-agent.ts'
import { issueKey } from '../keys/api-key.ts'
import { ownerOf as ownOwner, requireAdmin } from '../management-rights.ts'
import { type Manager, type Once, onceWith, recordBy } from '../manager.ts'
import { NOTICES, type Notify } from '../notices.ts'
import { SELF_SERVICE_TIERS, type Tiers } from '../tier.ts'
import { agentLimitAt, agentLimitReached } from './agent-limit.ts'
import { toOwner } from './email.ts'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly notify: Notify
  /** The limit of agents per owner; it does not apply to admins. */
  readonly perOwner: number
}

type Registration = {
  readonly agentName: string
  readonly agentType: AgentType
  readonly tier: Tier
  readonly email: string | undefined
  readonly rateLimits: RateLimits | undefined
  /** The id of the agent that is promoted: the new agent takes its owner and its place. */
  readonly replaces: string | undefined
}

export type Registered = { readonly agent: CurrentAgent; readonly apiKey: string }

/** Registers an agent that is active at once: the user's token proves the address, or an admin vouches for it. */
export function registerAgent({ agents, secrets, clock, tiers, notify, perOwner }: Needs) {
  return async (manager: Manager, input: Registration, once?: Once<Registered>): Promise<Registered> => {
    const { user } = manager
    refuseAdminWishes(user, input)
    const { replaces } = input
    const replaced = replaces === undefined ? undefined : await agents.find({ kind: 'everybody' }, replaces)
    if (replaces !== undefined && !replaced) throw nothingToReplace()
    const { apiKey, record } = issueKey(secrets)
    const now = clock.now()
    const agent: NewAgent = {
      id: secrets.newAgentId(),
      owner: ownerOf(user, input.email, replaced),
      name: input.agentName,
      type: input.agentType,
      walletAddress: replaced?.walletAddress,
      identityTier: user.role === 'admin' ? 'admin_verified' : 'user_linked',
      tier: input.tier,
      storedStatus: 'active',
      customLimits: input.rateLimits,
      createdAt: now,
      verifyBy: undefined,
      verifiedAt: now,
      key: record,
    }
    const isHandedOver = replaced !== undefined && replaced.owner !== agent.owner
    const notifyOldOwner = (old: Agent) =>
      isHandedOver ? notify(old, NOTICES.handOver(old), now) : undefined
    const output = { agent: currentAgent(registeredAgent(agent), tiers, now), apiKey }
    const outcome = await agents.register(
      agent,
      replaced && { id: replaced.id, step: TRANSITIONS.revoke, notice: notifyOldOwner },
      recordBy(manager, {
        actions: ['register'],
        at: now,
        once: onceWith(once, () => output),
        notice: (made) => {
          if (isHandedOver) return notify(made, NOTICES.takeOver(made), now)
          if (replaced) return notify(made, NOTICES.promote(made, replaced.id), now)
          return made.owner === ownOwner(user) ? undefined : notify(made, NOTICES.registerFor(made), now)
        },
      }),
      user.role === 'admin' ? undefined : agentLimitAt(perOwner, now),
    )
    if (outcome.kind === 'agent_limit_reached') throw agentLimitReached(perOwner)
    if (outcome.kind === 'replaced_agent_not_found') throw nothingToReplace()
    return output
  }
}

/** Refuses fields that only an admin may set. */
function refuseAdminWishes(user: User, input: Registration): void {
  const isForAnother = input.email !== undefined && toOwner(input.email) !== user.email
  if (!SELF_SERVICE_TIERS.includes(input.tier)) requireAdmin(user, `register ${input.tier} agents`)
  if (isForAnother) requireAdmin(user, 'register agents for other e-mail addresses')
  if (input.rateLimits) requireAdmin(user, 'set rate limits')
  if (input.replaces !== undefined) requireAdmin(user, 'promote agents')
}

function ownerOf(user: User, email: string | undefined, replaced: Agent | undefined): string {
  const owner = email === undefined ? (replaced?.owner ?? ownOwner(user)) : toOwner(email)
  if (owner !== undefined) return owner
  if (user.role === 'admin')
    throw wrongField('email', 'is required: your token has no verified e-mail address')
  throw new Fault(
    'forbidden',
    'Your token has no verified e-mail address. Sign in with an address that is verified.',
    {
      fix: 'Sign in with an e-mail address that is verified, and use that token.',
    },
  )
}

function nothingToReplace(): Fault {
  return refusal(
    'not_found',
    'There is no agent to promote with the id in `replaces`, or it is revoked.',
    `${call('listAgents')} lists those you may promote.`,
    { next: { endpoint: 'listAgents' } },
  )
}
