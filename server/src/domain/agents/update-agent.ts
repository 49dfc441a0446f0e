import type { Clock } from '#ports/clock.ts'
import type { Agent, Agents, RateLimits } from '#ports/stores/agents.ts'
import type { User } from '#ports/stores/users.ts'
import { type Fault, refusal } from '../../fault.ts'
import { stepRefused, TRANSITIONS } from './agent-state.ts'
import { type CurrentAgent, currentAgent } from './current-agent.ts'
import { adminOnly, agentNotFound } from './management-rights.ts'
import { type Manager, recordBy } from './manager.ts'
import { NOTICES, type NoticeContent, type Notify } from './notices.ts'
import type { Tiers } from './tier.ts'

type Needs = {
  readonly agents: Agents
  readonly clock: Clock
  readonly tiers: Tiers
  readonly notify: Notify
}

type Update = {
  readonly status: 'active' | 'suspended' | undefined
  readonly rateLimits: RateLimits | undefined
}

const ACTIONS = { active: 'resume', suspended: 'suspend' } as const
const STEPS = { active: TRANSITIONS.resume, suspended: TRANSITIONS.suspend } as const

/** The refusal if the user is not an admin. */
export function refuseUpdate(user: User): Fault | undefined {
  return adminOnly(user, 'suspend or resume agents, or set their limits')
}

/** Suspends or resumes an agent, and sets its limits. A suspended key is refused from the commit on. */
export function updateAgent({ agents, clock, tiers, notify }: Needs) {
  return async (manager: Manager, id: string, update: Update): Promise<CurrentAgent> => {
    const refused = refuseUpdate(manager.user)
    if (refused) throw refused
    const now = clock.now()
    const known = await agents.find({ kind: 'everybody' }, id)
    const step = update.status && ACTIONS[update.status]
    const record = recordBy(manager, {
      actions: [...(step ? [step] : []), ...(update.rateLimits ? ['set-limits' as const] : [])],
      at: now,
      notice: (agent) => {
        const content = noticeOf(agent, update, known?.storedStatus)
        return content && notify(agent, content, now)
      },
    })
    const outcome = await agents.update(id, toChange(update), record)
    if (outcome.kind === 'not_found') throw agentNotFound()
    if (outcome.kind === 'refused') throw stepRefused('invalid_input', outcome.agent, now)
    return currentAgent(outcome.agent, tiers, now)
  }
}

/**
 * At most one mail per update: about a change of the state, otherwise about new limits. A step into the current state
 * is recorded, but is no news for the owner.
 */
function noticeOf(
  agent: Agent,
  { status, rateLimits }: Update,
  before: Agent['storedStatus'] | undefined,
): NoticeContent | undefined {
  if (status && status !== before) return NOTICES[ACTIONS[status]](agent)
  return rateLimits && NOTICES.setLimits(agent, rateLimits)
}

function toChange({ status, rateLimits }: Update): Parameters<Agents['update']>[1] {
  if (status) return { step: STEPS[status], limits: rateLimits }
  if (rateLimits) return { step: undefined, limits: rateLimits }
  throw refusal('invalid_input', 'The request changes nothing.', 'Send `status`, `rateLimits` or both.')
}
