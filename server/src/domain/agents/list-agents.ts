import type { Clock } from '#ports/clock.ts'
import type { Agents } from '#ports/stores/agents.ts'
import type { User } from '#ports/stores/users.ts'
import { Fault } from '../../fault.ts'
import { type CurrentAgent, currentAgent } from './current-agent.ts'
import { ownScope, requireAdmin } from './management-rights.ts'
import type { Tiers } from './tier.ts'

type Needs = { readonly agents: Agents; readonly clock: Clock; readonly tiers: Tiers }

type Query = { readonly all: boolean; readonly cursor: string | undefined; readonly limit: number }

type AgentPage = { readonly agents: readonly CurrentAgent[]; readonly next: string | undefined }

export function listAgents({ agents, clock, tiers }: Needs) {
  return async (user: User, { all, cursor, limit }: Query): Promise<AgentPage> => {
    if (all) requireAdmin(user, 'list the agents of everybody')
    const scope = all ? ({ kind: 'everybody' } as const) : ownScope(user)
    if (!scope) return { agents: [], next: undefined }
    const page = await agents.list(scope, { after: cursor, limit })
    if (!page) throw badCursor()
    const now = clock.now()
    return { agents: page.agents.map((agent) => currentAgent(agent, tiers, now)), next: page.next }
  }
}

export function badCursor(): Fault {
  const message = 'must be the `nextCursor` of the page before'
  return new Fault('invalid_input', `\`cursor\` ${message}.`, { details: [{ field: 'cursor', message }] })
}
