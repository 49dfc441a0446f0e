import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Agent, AgentFilter, Page, Scope } from '#ports/stores/agents.ts'
import type { Database, Schema } from '../schema.ts'
import { type AgentRow, toAgent } from './agent-rows.ts'

export const EVERYBODY: Scope = { kind: 'everybody' }

/** Agents in the scope only: every look-up by id or cursor uses this. */
function selectAgents(db: Database, scope: Scope) {
  const all = db
    .selectFrom('agents')
    .leftJoin('agent_counters', 'agent_counters.agent_no', 'agents.no')
    .selectAll('agents')
    .select('agent_counters.last_used_at')
  return scope.kind === 'owner' ? all.where('owner', '=', scope.owner) : all
}

export function findAgent(db: Database, scope: Scope, id: string): Promise<AgentRow | undefined> {
  return selectAgents(db, scope).where('id', '=', id).executeTakeFirst()
}

/**
 * The cursor is the last id of the previous page, which does not reveal how many agents exist. An owner's
 * unverified agents come last: anybody can register one with the owner's address.
 */
export async function listAgents(
  db: Database,
  scope: Scope,
  { after, limit }: Page,
  filter?: AgentFilter,
): Promise<{ agents: readonly Agent[]; next: string | undefined } | undefined> {
  const last = after === undefined ? undefined : await findAgent(db, scope, after)
  if (after !== undefined && !last) return undefined
  const all = selectAgents(db, scope)
  const verifiedFirst = scope.kind === 'owner' ? all.orderBy(IS_UNVERIFIED) : all
  const newest = verifiedFirst.orderBy('no', 'desc')
  const chosen = filter ? newest.where((where) => where.and(conditions(where, filter))) : newest
  const rows = await (last ? chosen.where(isAfter(scope, last)) : chosen).limit(limit + 1).execute()
  const agents = rows.slice(0, limit).map(toAgent)
  return { agents, next: rows.length > limit ? agents.at(-1)?.id : undefined }
}

/** A number on both engines. */
const IS_UNVERIFIED = sql<number>`case when agents.verified_at is null then 1 else 0 end`

/** Whether an agent comes after `last` in the order of the list. */
function isAfter(scope: Scope, { no, verified_at }: AgentRow) {
  return (where: AgentConditions) => {
    const isOlder = where('agents.no', '<', no)
    if (scope.kind !== 'owner') return isOlder
    const isUnverified = where('agents.verified_at', 'is', null)
    if (verified_at === null) return where.and([isUnverified, isOlder])
    return where.or([isUnverified, isOlder])
  }
}

type AgentConditions = ExpressionBuilder<Schema, 'agents'>

function conditions(where: AgentConditions, { search, status, exceptName, now }: AgentFilter) {
  return [
    ...(search === undefined ? [] : [hasText(where, search)]),
    ...(status === undefined ? [] : [isInState(where, status, now)]),
    ...(exceptName === undefined ? [] : [where('agents.name', '!=', exceptName)]),
  ]
}

/** The store lowers the case of both sides, so that its own rules apply. */
function hasText(where: AgentConditions, search: string) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const columns = ['agents.name', 'agents.owner', 'agents.id', 'agents.key_prefix'] as const
  return where.or(
    columns.map((column) => sql<SqlBool>`lower(${where.ref(column)}) like lower(${pattern}) escape '\\'`),
  )
}

/** A pending agent that was not verified in time counts as expired, whatever is stored. */
function isInState(where: AgentConditions, status: NonNullable<AgentFilter['status']>, now: number) {
  if (status !== 'expired' && status !== 'pending_verification') return where('agents.status', '=', status)
  const isOver = where('agents.verify_by', '<=', now)
  const isOpen = where.or([where('agents.verify_by', 'is', null), where('agents.verify_by', '>', now)])
  return where.and([
    where('agents.status', '=', 'pending_verification'),
    status === 'expired' ? isOver : isOpen,
  ])
}
