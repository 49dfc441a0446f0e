import type { Scope } from '#ports/stores/agents.ts'
import type { Approvals } from '#ports/stores/approvals.ts'
import { CLOCK_STEP_MS } from '../../../../durations.ts'
import type { Database } from '../../schema.ts'
import { toApproval } from './approval-rows.ts'
import { isGenuine, type SealNeeds } from './approval-seal.ts'

type Page = Parameters<Approvals['listWaiting']>[1]

/** Approvals in the scope, each with its agent. */
function selectWithAgent(db: Database, scope: Scope) {
  const all = db
    .selectFrom('approvals')
    .innerJoin('agents', 'agents.no', 'approvals.agent_no')
    .selectAll('approvals')
    .select(['agents.id as agent_id', 'agents.name as agent_name'])
  return scope.kind === 'owner' ? all.where('agents.owner', '=', scope.owner) : all
}

/** Waiting approvals of all agents in the scope. A cursor stays valid when its approval is decided. */
export async function listWaiting(
  db: Database,
  needs: SealNeeds,
  scope: Scope,
  { now, after, limit }: Page,
): ReturnType<Approvals['listWaiting']> {
  const mark =
    after === undefined
      ? undefined
      : await selectWithAgent(db, scope).where('approvals.id', '=', after).executeTakeFirst()
  if (after !== undefined && !mark) return undefined
  const waiting = selectWithAgent(db, scope)
    .where('approvals.state', '=', 'waiting')
    .where('approvals.expires_at', '>', now)
    // An approval dated ahead by a wrong clock can be neither decided nor used.
    .where('approvals.created_at', '<=', now + CLOCK_STEP_MS)
    .where('agents.status', '!=', 'revoked')
  const rest = mark
    ? waiting.where((where) =>
        where.or([
          where('approvals.created_at', '<', mark.created_at),
          where.and([
            where('approvals.created_at', '=', mark.created_at),
            where('approvals.id', '<', mark.id),
          ]),
        ]),
      )
    : waiting
  const rows = await rest
    .orderBy('approvals.created_at', 'desc')
    .orderBy('approvals.id', 'desc')
    .limit(limit + 1)
    .execute()
  const approvals = rows
    .slice(0, limit)
    .filter((row) => isGenuine(needs, row))
    .map((row) => ({ ...toApproval(row), agent: { id: row.agent_id, name: row.agent_name } }))
  return { approvals, isLast: rows.length <= limit }
}
