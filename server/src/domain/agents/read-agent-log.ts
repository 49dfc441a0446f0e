import type { Agent, Agents } from '#ports/agents.ts'
import type { Clock } from '#ports/clock.ts'
import type { RequestLog } from '#ports/request-log.ts'
import type { User } from '#ports/users.ts'
import { agentNotFound, scopeOf } from './management-rights.ts'
import { firstDayOfProfile, type Profile, profileOf } from './profile.ts'

type Needs = { readonly agents: Agents; readonly requestLog: RequestLog; readonly clock: Clock }

/** What was logged about an agent, for whoever may manage it. */
export function readAgentLog({ agents, requestLog, clock }: Needs) {
  async function find(user: User, id: string): Promise<Agent> {
    const scope = scopeOf(user)
    const agent = scope && (await agents.find(scope, id))
    if (!agent) throw agentNotFound()
    return agent
  }
  return {
    async profile(user: User, id: string): Promise<{ agent: Agent; profile: Profile }> {
      const agent = await find(user, id)
      const now = clock.now()
      const days = await requestLog.daysOf(agent.id, firstDayOfProfile(now))
      return { agent, profile: profileOf(days, agent.createdAt, now) }
    },
    async requests(user: User, id: string, page: { after: string | undefined; limit: number }) {
      const agent = await find(user, id)
      return requestLog.requestsOf(agent.id, page)
    },
  }
}
