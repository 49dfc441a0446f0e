import type { Clock } from '#ports/clock.ts'
import type { AgentKeys, PreviousKey } from '#ports/stores/agent-keys.ts'
import type { RateLimits } from '#ports/stores/agents.ts'
import type { Policies, PolicyRevision, PolicyRule } from '#ports/stores/policies.ts'
import type { RequestLog } from '#ports/stores/request-log.ts'
import { usedOf } from '../limits/admission-rules.ts'
import type { CurrentAgent } from './current-agent.ts'
import { firstDayOfProfile, requestsPerDay } from './profile.ts'

type Needs = {
  readonly keys: Pick<AgentKeys, 'previousOf'>
  readonly policies: Policies
  readonly requestLog: RequestLog
  readonly clock: Clock
}

/** The usage, policy and second primary key of an agent, for the list of agents. */
type Standing = {
  readonly used: RateLimits
  /** Requests on each of the last 30 UTC days, today last. */
  readonly requestsPerDay: number[]
  readonly policy: PolicySummary | undefined
  readonly previousKey: PreviousKey | undefined
}

type PolicySummary = {
  readonly revision: number
  readonly paused: boolean
  readonly rules: PolicyRule['rule'][]
}

export type AgentWithStanding = { readonly agent: CurrentAgent; readonly standing: Standing }

/** Reads the standings of all agents with three queries in total. */
export function agentStandings({ keys, policies, requestLog, clock }: Needs) {
  return async (agents: readonly CurrentAgent[]): Promise<readonly AgentWithStanding[]> => {
    const now = clock.now()
    const ids = agents.map(({ id }) => id)
    const working = agents.flatMap(({ id, status }) => (status === 'revoked' ? [] : id))
    const [uses, held, previous] = await Promise.all([
      requestLog.usesOf(ids, firstDayOfProfile(now)),
      policies.heldByEach(ids, now),
      keys.previousOf(working, now),
    ])
    return agents.map((agent) => {
      const use = uses.get(agent.id)
      const { usedMinute, usedDay } = usedOf(use?.activity, now)
      return {
        agent,
        standing: {
          used: { rpm: usedMinute, rpd: usedDay },
          requestsPerDay: requestsPerDay(use?.days ?? new Map(), now),
          policy: summaryOf(held.get(agent.id) ?? []),
          previousKey: previous.get(agent.id),
        },
      }
    })
  }
}

/**
 * `held` has the revisions in force, newest first. While a looser one waits for its delay, the earlier one applies
 * too, so `paused` in any of them counts.
 */
function summaryOf(held: readonly PolicyRevision[]): PolicySummary | undefined {
  const [newest] = held
  return (
    newest && {
      revision: newest.revision,
      paused: held.some(({ document }) => document.rules.some(({ rule }) => rule === 'paused')),
      rules: [...new Set(newest.document.rules.map(({ rule }) => rule))],
    }
  )
}
