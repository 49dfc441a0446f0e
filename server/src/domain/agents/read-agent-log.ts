import type { Clock } from '#ports/clock.ts'
import type { AgentAction, AgentActions } from '#ports/stores/agent-actions.ts'
import type { Agent, Agents } from '#ports/stores/agents.ts'
import type { LoggedRequest, RequestLog } from '#ports/stores/request-log.ts'
import type { User } from '#ports/stores/users.ts'
import { agentNotFound, scopeOf } from './management-rights.ts'
import { firstDayOfProfile, type Profile, profileOf } from './profile.ts'

type Needs = {
  readonly agents: Agents
  readonly requestLog: RequestLog
  readonly actions: AgentActions
  readonly clock: Clock
}

/** A request of an agent, or an action on it. */
export type LogEntry =
  | { readonly kind: 'request'; readonly request: LoggedRequest }
  | { readonly kind: 'action'; readonly action: AgentAction }

/** The end of a page in both logs; undefined: nothing of that log was read yet. */
export type LogPosition = { readonly ticket: number | undefined; readonly action: number | undefined }

type LogPage = {
  readonly agent: Agent
  readonly entries: readonly LogEntry[]
  readonly next: LogPosition | undefined
}

/** Reads the log of an agent, for users who may manage it. */
export function readAgentLog({ agents, requestLog, actions, clock }: Needs) {
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
    async entries(user: User, id: string, after: LogPosition, limit: number): Promise<LogPage> {
      const agent = await find(user, id)
      const page = { after: after.ticket === undefined ? undefined : String(after.ticket), limit: limit + 1 }
      const { requests, next: more } = await requestLog.requestsOf(agent.id, page)
      const done = await actions.list({ agentId: agent.id }, { before: after.action, limit: limit + 1 })
      const merged = mergeByTime(requests, done)
      const entries = merged.slice(0, limit)
      // A page of requests ends early before a damaged part of the log, of which the next page tells.
      const hasMore = merged.length > limit || more !== undefined
      const next = hasMore ? positionAfter(entries, after) : undefined
      return { agent, entries, next }
    },
  }
}

/**
 * Merges two lists that are sorted newest first. Each log keeps its order, so a page ends at one position in each.
 */
function mergeByTime(
  requests: readonly LoggedRequest[],
  actions: readonly AgentAction[],
): readonly LogEntry[] {
  const merged: LogEntry[] = []
  let [nextRequest, nextAction] = [0, 0]
  for (;;) {
    const request = requests[nextRequest]
    const action = actions[nextAction]
    if (request && (!action || request.at > action.at)) {
      merged.push({ kind: 'request', request })
      nextRequest += 1
    } else if (action) {
      merged.push({ kind: 'action', action })
      nextAction += 1
    } else return merged
  }
}

function positionAfter(entries: readonly LogEntry[], before: LogPosition): LogPosition {
  let { ticket, action } = before
  for (const entry of entries) {
    if (entry.kind === 'request') ticket = entry.request.ticket
    else action = entry.action.no
  }
  return { ticket, action }
}
