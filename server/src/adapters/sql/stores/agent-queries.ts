import type { Agent, Page, Scope } from '#ports/stores/agents.ts'
import type { Database } from '../schema.ts'
import { type AgentRow, toAgent } from './agent-rows.ts'

/** Agents within the scope, and no others: every look-up by id or cursor goes through here. */
function selectAgents(db: Database, scope: Scope) {
  const all = db
    .selectFrom('agents')
    .leftJoin('agent_activity', 'agent_activity.agent_no', 'agents.no')
    .selectAll('agents')
    .select('agent_activity.last_used_at')
  return scope.kind === 'owner' ? all.where('owner', '=', scope.owner) : all
}

export function findAgent(db: Database, scope: Scope, id: string): Promise<AgentRow | undefined> {
  return selectAgents(db, scope).where('id', '=', id).executeTakeFirst()
}

/** The cursor is the id of the last agent of the page before: it tells nobody how many agents there are. */
export async function listAgents(
  db: Database,
  scope: Scope,
  { after, limit }: Page,
): Promise<{ agents: readonly Agent[]; next: string | undefined } | undefined> {
  const last = after === undefined ? undefined : await findAgent(db, scope, after)
  if (after !== undefined && !last) return undefined
  const newest = selectAgents(db, scope).orderBy('no', 'desc')
  const rows = await (last ? newest.where('no', '<', last.no) : newest).limit(limit + 1).execute()
  const agents = rows.slice(0, limit).map(toAgent)
  return { agents, next: rows.length > limit ? agents.at(-1)?.id : undefined }
}
