import type { Agents } from '#ports/agents.ts'
import type { Clock } from '#ports/clock.ts'
import type { User } from '#ports/users.ts'
import { TRANSITIONS } from './agent-state.ts'
import { agentNotFound, scopeOf } from './management-rights.ts'

type Needs = { readonly agents: Agents; readonly clock: Clock }

/** May be repeated: an agent that is revoked already answers with the moment it was. */
export function revokeAgent({ agents, clock }: Needs) {
  return async (user: User, id: string): Promise<{ id: string; revokedAt: number }> => {
    const scope = scopeOf(user)
    if (!scope) throw agentNotFound()
    const now = clock.now()
    const outcome = await agents.revoke(scope, id, TRANSITIONS.revoke, now)
    if (outcome.kind === 'not_found') throw agentNotFound()
    return { id: outcome.agent.id, revokedAt: outcome.agent.revokedAt ?? now }
  }
}
