import type { AgentLimit } from '#ports/stores/agents.ts'
import { DAY_MS } from '../../../durations.ts'
import { Fault } from '../../../fault.ts'

/** The limit of an owner on the UTC day of `now`. */
export const agentLimitAt = (limit: number, now: number): AgentLimit => ({
  limit,
  dayStart: now - (now % DAY_MS),
})

export function agentLimitReached(limit: number): Fault {
  const fix = 'Revoke one that is not needed: its place is free from the next UTC day on.'
  return new Fault('forbidden', `An owner may have ${limit} agents. ${fix}`, { fix })
}
