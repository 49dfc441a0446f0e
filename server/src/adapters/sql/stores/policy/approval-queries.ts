import type { Transaction } from 'kysely'
import type { Scope } from '#ports/stores/agents.ts'
import type { Approval, Approvals } from '#ports/stores/approvals.ts'
import { CLOCK_STEP_MS } from '../../../../durations.ts'
import type { Database, Schema } from '../../schema.ts'
import { toApproval } from './approval-rows.ts'
import { type ApprovalRow, assertGenuine, isGenuine, type SealNeeds } from './approval-seal.ts'

export const selectApprovals = (db: Database, agentNo: number) =>
  db.selectFrom('approvals').selectAll().where('agent_no', '=', agentNo)

export async function findApproval(
  db: Database,
  needs: SealNeeds,
  agentNo: number,
  id: string,
): Promise<ApprovalRow | undefined> {
  const row = await selectApprovals(db, agentNo).where('id', '=', id).executeTakeFirst()
  if (row) assertGenuine(needs, row)
  return row
}

/** Leaves out rows with a wrong seal, and reads further ones until the page is full. */
export async function listNewest(
  db: Database,
  needs: SealNeeds,
  agentNo: number,
  { before, limit }: Parameters<Approvals['list']>[2],
): Promise<readonly Approval[]> {
  const newest = selectApprovals(db, agentNo).orderBy('no', 'desc').limit(limit)
  const rows = await (before === undefined ? newest : newest.where('no', '<', before)).execute()
  const found = rows.filter((row) => isGenuine(needs, row)).map(toApproval)
  if (rows.length < limit || found.length === limit) return found
  const rest = { before: rows.at(-1)?.no, limit: limit - found.length }
  return [...found, ...(await listNewest(db, needs, agentNo, rest))]
}

export async function selectUsable(
  transaction: Transaction<Schema>,
  needs: SealNeeds,
  agentNo: number,
  now: number,
): Promise<readonly Approval[]> {
  const rows = await selectApprovals(transaction, agentNo)
    .where('state', 'in', ['waiting', 'approved'])
    .where('expires_at', '>', now)
    .where('created_at', '<=', now + CLOCK_STEP_MS)
    .execute()
  return rows.filter((row) => isGenuine(needs, row)).map(toApproval)
}

/** The agent that has the approval now, if the scope includes it. */
export async function holderOf(db: Database, scope: Scope, id: string): Promise<string | undefined> {
  const holder = db
    .selectFrom('approvals')
    .innerJoin('agents', 'agents.no', 'approvals.agent_no')
    .select('agents.id')
    .where('approvals.id', '=', id)
  const row = await (scope.kind === 'owner'
    ? holder.where('agents.owner', '=', scope.owner)
    : holder
  ).executeTakeFirst()
  return row?.id
}
