import type { Clock } from '#ports/clock.ts'
import type { Agents } from '#ports/stores/agents.ts'
import { TRANSITIONS } from '../agent-state.ts'
import { agentNotFound, scopeOf } from '../management-rights.ts'
import { type Manager, recordBy } from '../manager.ts'
import { NOTICES, type Notify } from '../notices.ts'

type Needs = { readonly agents: Agents; readonly clock: Clock; readonly notify: Notify }

/** Idempotent: for a revoked agent it returns the time of its revocation. */
export function revokeAgent({ agents, clock, notify }: Needs) {
  return async (manager: Manager, id: string): Promise<{ id: string; revokedAt: number }> => {
    const { role } = manager.user
    const scope = scopeOf(manager.user)
    if (!scope) throw agentNotFound()
    const now = clock.now()
    const record = recordBy(manager, {
      actions: ['revoke'],
      at: now,
      notice: (agent) => notify(agent, NOTICES.revoke(agent, role), now),
    })
    const outcome = await agents.revoke(scope, id, TRANSITIONS.revoke, now, record)
    if (outcome.kind === 'not_found') throw agentNotFound()
    return { id: outcome.agent.id, revokedAt: outcome.agent.revokedAt ?? now }
  }
}
