import { ACTOR_KINDS, ENDPOINTS, LIMITS } from '@stakewright/contract'
import type { readAgentLog } from '#domain/agents/read-agent-log.ts'
import { type listActions, refuseActions } from '#domain/audit/list-actions.ts'
import type { TokenUnit } from '../../../networks.ts'
import type { Endpoints } from '../../endpoint.ts'
import { pickFields } from '../../lists/arrange-list.ts'
import { storeCursor } from '../../lists/store-cursor.ts'
import { readActionNumber, readPosition, toActionEntry, toCursor, toEntry } from './audit-shapes.ts'

type Needs = {
  readonly agentLog: ReturnType<typeof readAgentLog>
  readonly listActions: ReturnType<typeof listActions>
  readonly token: TokenUnit
}

const NDJSON = 'application/x-ndjson'
const toMoment = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text))

/** The requests of an agent, and the actions on it. */
export function agentLogEndpoints({ agentLog, listActions, token }: Needs) {
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
      handle: async (input, { caller: { user } }) => {
        const cursor = storeCursor('agentAudit', input)
        const from = readPosition(cursor.place)
        const { agent, entries, next } = await agentLog.entries(user, input.id, from, input.limit)
        const viewer = user.role === 'admin' ? undefined : user.id
        const data = entries.map((entry) => toEntry(entry, agent.id, viewer))
        return { reply: { success: true, data, nextCursor: cursor.at(next && toCursor(next)), ...token } }
      },
    },
    listActions: {
      refuse: ({ user }) => refuseActions(user),
      handle: async (input, { prefers }) => {
        const { agentId, actor, action, from, to, cursor: _cursor, limit, ...choice } = input
        const cursor = storeCursor('listActions', input)
        const isExport = prefers([NDJSON, 'application/json']) === NDJSON
        const usual = isExport ? LIMITS.exportedActions : LIMITS.pageSize.default
        const filter = { agentId, ...actorFilter(actor), action, from: toMoment(from), to: toMoment(to) }
        const page = { before: readActionNumber(cursor.place), limit: limit ?? usual }
        const { actions, next } = await listActions(filter, page)
        const data = actions.map((done) => toActionEntry(done, undefined))
        const nextCursor = cursor.at(next === undefined ? null : String(next))
        if (!isExport) return { reply: { success: true, data, nextCursor, ...token } }
        const lines = data.map((entry) => pickFields(entry, ENDPOINTS.listActions.list, choice))
        return exported(lines, nextCursor)
      },
    },
  } satisfies Endpoints
}

function actorFilter(actor: string | undefined) {
  const actorKind = ACTOR_KINDS.find((kind) => kind === actor)
  return actorKind === undefined ? { actorId: actor } : { actorKind }
}

/** One JSON object per line. */
function exported(entries: readonly object[], nextCursor: string | null) {
  const body = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  return { answer: { body, mediaType: NDJSON, ...(nextCursor !== null && { nextCursor }) } }
}
