import type { Clock } from '#ports/clock.ts'
import type { AgentFilter, Agents } from '#ports/stores/agents.ts'
import type { User } from '#ports/stores/users.ts'
import { type Fault, wrongField } from '../../fault.ts'
import { type CurrentAgent, currentAgent } from './current-agent.ts'
import { agentNotFound, ownScope, requireAdmin, scopeOf } from './management-rights.ts'
import type { Tiers } from './tier.ts'

type Needs = { readonly agents: Agents; readonly clock: Clock; readonly tiers: Tiers }

type Query = {
  readonly all: boolean
  readonly cursor: string | undefined
  readonly limit: number
  /** Left out: all agents. */
  readonly filter?: Omit<AgentFilter, 'now'>
}

type AgentPage = { readonly agents: readonly CurrentAgent[]; readonly next: string | undefined }

export function listAgents({ agents, clock, tiers }: Needs) {
  return async (user: User, { all, cursor, limit, filter }: Query): Promise<AgentPage> => {
    if (all) requireAdmin(user, 'list the agents of everybody')
    const scope = all ? ({ kind: 'everybody' } as const) : ownScope(user)
    if (!scope) return { agents: [], next: undefined }
    const now = clock.now()
    const page = await agents.list(scope, { after: cursor, limit }, filter && { ...filter, now })
    if (!page) throw badCursor()
    return { agents: page.agents.map((agent) => currentAgent(agent, tiers, now)), next: page.next }
  }
}

export function readAgent({ agents, clock, tiers }: Needs) {
  return async (user: User, id: string): Promise<CurrentAgent> => {
    const scope = scopeOf(user)
    const found = scope && (await agents.find(scope, id))
    if (!found) throw agentNotFound()
    return currentAgent(found, tiers, clock.now())
  }
}

export const badCursor = (): Fault =>
  wrongField('cursor', 'is not a `nextCursor` of this list', {
    instead: 'leave out `cursor` to begin at the first page',
  })
