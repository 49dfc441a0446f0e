import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Scope } from '#ports/stores/agents.ts'
import type { Approval, Approvals, ListedState } from '#ports/stores/approvals.ts'
import { CLOCK_STEP_MS } from '../../../../durations.ts'
import type { Database, Schema } from '../../schema.ts'
import { toApproval } from './approval-rows.ts'
import { type ApprovalRow, isGenuine, type SealNeeds } from './approval-seal.ts'

type Page = Parameters<Approvals['listByState']>[1]

/** Approvals in the scope, each with its agent. */
function selectWithAgent(db: Database, scope: Scope) {
  const all = db
    .selectFrom('approvals')
    .innerJoin('agents', 'agents.no', 'approvals.agent_no')
    .selectAll('approvals')
    .select(['agents.id as agent_id', 'agents.name as agent_name'])
  return scope.kind === 'owner' ? all.where('agents.owner', '=', scope.owner) : all
}

type Where = ExpressionBuilder<Schema, 'approvals' | 'agents'>

/** Whether an approval has expired or was dated ahead by a wrong clock, which its stored state does not show. */
const isOver = (where: Where, now: number) =>
  where.or([
    where('approvals.expires_at', '<=', now),
    where('approvals.created_at', '>', now + CLOCK_STEP_MS),
  ])

const isStored = (where: Where, ...states: readonly Approval['state'][]) =>
  where('approvals.state', 'in', states)

/** The condition of each listed state. A revoked agent builds nothing, so none of its approvals wait. */
const CONDITIONS: Readonly<Record<ListedState, (where: Where, now: number) => Expression<SqlBool>>> = {
  waiting: (where, now) =>
    where.and([
      isStored(where, 'waiting'),
      where.not(isOver(where, now)),
      where('agents.status', '!=', 'revoked'),
    ]),
  approved: (where, now) => where.and([isStored(where, 'approved'), where.not(isOver(where, now))]),
  refused: (where) => isStored(where, 'refused'),
  used: (where) => isStored(where, 'used'),
  expired: (where, now) => where.and([isStored(where, 'waiting', 'approved'), isOver(where, now)]),
  decided: (where, now) => where.or([isStored(where, 'approved', 'refused', 'used'), isOver(where, now)]),
}

/**
 * Approvals of all agents in the scope. A cursor stays valid when its approval gets another state. Leaves out rows with
 * a wrong seal, and reads further ones until the page is full.
 */
export async function listByState(
  db: Database,
  needs: SealNeeds,
  scope: Scope,
  { state, now, after, limit }: Page,
): ReturnType<Approvals['listByState']> {
  let cursor =
    after === undefined
      ? undefined
      : await selectWithAgent(db, scope).where('approvals.id', '=', after).executeTakeFirst()
  if (after !== undefined && !cursor) return undefined
  const listed = selectWithAgent(db, scope)
    .where((where) => CONDITIONS[state](where, now))
    .orderBy('approvals.created_at', 'desc')
    .orderBy('approvals.id', 'desc')
    .limit(limit + 1)
  const found: WithAgent[] = []
  for (;;) {
    const rows = await (cursor ? listed.where(isAfter(cursor)) : listed).execute()
    found.push(...rows.filter((row) => isGenuine(needs, row)))
    cursor = rows.at(-1)
    if (found.length > limit || rows.length <= limit) break
  }
  const approvals = found
    .slice(0, limit)
    .map((row) => ({ ...toApproval(row), agent: { id: row.agent_id, name: row.agent_name } }))
  return { approvals, isLast: found.length <= limit }
}

type WithAgent = ApprovalRow & { readonly agent_id: string; readonly agent_name: string }

/** Whether an approval comes after `last` in the order of the list. */
const isAfter = (last: ApprovalRow) => (where: Where) =>
  where.or([
    where('approvals.created_at', '<', last.created_at),
    where.and([where('approvals.created_at', '=', last.created_at), where('approvals.id', '<', last.id)]),
  ])
