import { ROUTES } from '@stakewright/contract'
import type { readAgentLog } from '#domain/agents/read-agent-log.ts'
import { Fault } from '../../fault.ts'
import type { Endpoints } from '../endpoint.ts'
import { toIso } from './shapes.ts'

type Needs = { readonly agentLog: ReturnType<typeof readAgentLog> }

/** What an agent has done: its profile, and its requests one by one. */
export function agentLogEndpoints({ agentLog }: Needs) {
  return {
    agentProfile: {
      handle: async ({ id }, { caller: { user } }) => {
        const { agent, profile } = await agentLog.profile(user, id)
        const { name, type, identityTier } = agent
        return {
          reply: { success: true, data: { agentName: name, agentType: type, identityTier, ...profile } },
        }
      },
    },
    agentAudit: {
      handle: async ({ id, cursor, limit }, { caller: { user } }) => {
        if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor()
        const { requests, next } = await agentLog.requests(user, id, { after: cursor, limit })
        const data = requests.map(({ at, endpoint, status, latencyMicros, truncatedAddress }) => ({
          at: toIso(at),
          endpoint: describe(endpoint),
          status: status ?? null,
          latencyMs: latencyMicros === undefined ? null : latencyMicros / 1000,
          ip: truncatedAddress,
        }))
        return { reply: { success: true, data, nextCursor: next ?? null } }
      },
    },
  } satisfies Endpoints
}

/** The log knows endpoints by name; readers know them by method and path. */
function describe(endpoint: string): string {
  const route = Object.entries(ROUTES).find(([name]) => name === endpoint)?.[1]
  return route ? `${route.method} ${route.path}` : endpoint
}

function badCursor(): Fault {
  const message = 'must be the `nextCursor` of the page before'
  return new Fault('invalid_input', `\`cursor\` ${message}.`, { details: [{ field: 'cursor', message }] })
}
