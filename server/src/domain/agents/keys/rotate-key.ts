import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agent, Agents } from '#ports/stores/agents.ts'
import { stepRefused, TRANSITIONS } from '../agent-state.ts'
import { type CurrentAgent, currentAgent } from '../current-agent.ts'
import { agentNotFound, scopeOf } from '../management-rights.ts'
import { type Manager, type Once, onceWith, recordBy } from '../manager.ts'
import { NOTICES, type Notify } from '../notices.ts'
import type { Tiers } from '../tier.ts'
import { issueKey } from './api-key.ts'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly notify: Notify
}

export type Rotated = {
  readonly agent: CurrentAgent
  readonly apiKey: string
  readonly previousKeyExpiresAt: number
}

/** Replaces the primary key. It answers after the commit, so the end of the old key is certain for the caller. */
export function rotateKey({ agents, secrets, clock, tiers, notify }: Needs) {
  return async (
    manager: Manager,
    id: string,
    gracePeriodSeconds: number,
    once?: Once<Rotated>,
  ): Promise<Rotated> => {
    const { role } = manager.user
    const scope = scopeOf(manager.user)
    if (!scope) throw agentNotFound()
    const now = clock.now()
    const { apiKey, record } = issueKey(secrets)
    const previousKeyExpiresAt = now + gracePeriodSeconds * 1_000
    const graceEndsAt = gracePeriodSeconds > 0 ? previousKeyExpiresAt : undefined
    const outputOf = (agent: Agent) => ({
      agent: currentAgent(agent, tiers, now),
      apiKey,
      previousKeyExpiresAt,
    })
    const outcome = await agents.replaceKey(
      scope,
      id,
      { key: record, step: TRANSITIONS.rotate, now, graceEndsAt },
      recordBy(manager, {
        actions: ['rotate'],
        at: now,
        once: onceWith(once, outputOf),
        notice: (agent) => notify(agent, NOTICES.rotate(agent, role), now),
      }),
    )
    if (outcome.kind === 'not_found') throw agentNotFound()
    if (outcome.kind === 'refused') throw stepRefused('not_found', outcome.agent, now)
    return outputOf(outcome.agent)
  }
}
