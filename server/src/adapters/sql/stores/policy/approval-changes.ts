import type { Transaction } from 'kysely'
import type { Approval, Decision, NewApproval } from '#ports/stores/approvals.ts'
import type { Reservation, UsableApproval } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../../../durations.ts'
import type { Schema } from '../../schema.ts'
import { assertPersisted } from '../keys/assert-persisted.ts'
import { findApproval, selectApprovals } from './approval-queries.ts'
import { toApproval, toRow } from './approval-rows.ts'
import {
  type ApprovalRow,
  isSealedApproval,
  refuseUsedTwice,
  type SealNeeds,
  sealed,
} from './approval-seal.ts'

/** The transactions passed to these functions have locked the agent. */

export async function insertApproval(
  transaction: Transaction<Schema>,
  secrets: SealNeeds['secrets'],
  agentNo: number,
  approval: NewApproval,
): Promise<Approval> {
  const newest = await transaction
    .selectFrom('approvals')
    .select((select) => select.fn.max('no').as('no'))
    .where('agent_no', '=', agentNo)
    .executeTakeFirst()
  const row = sealed(secrets, toRow(agentNo, Number(newest?.no ?? 0) + 1, approval))
  await transaction.insertInto('approvals').values(row).execute()
  await assertPersisted('approvals', selectById(transaction, row.id), { mac: row.mac })
  return toApproval(row)
}

export async function writeDecision(
  transaction: Transaction<Schema>,
  secrets: SealNeeds['secrets'],
  before: ApprovalRow,
  { state, at, by }: Decision,
): Promise<Approval> {
  const change = { state, decided_at: at, decided_by: by.id, decided_role: by.role }
  return toApproval(await rewrite(transaction, sealed(secrets, { ...before, ...change })))
}

/** The agent's lock ensures that the row has not changed since it was read. */
async function rewrite(transaction: Transaction<Schema>, row: ApprovalRow): Promise<ApprovalRow> {
  const { id, ...content } = row
  await transaction.updateTable('approvals').set(content).where('id', '=', id).execute()
  await assertPersisted('approvals', selectById(transaction, id), row)
  return row
}

const selectById = (transaction: Transaction<Schema>, id: string) =>
  transaction.selectFrom('approvals').selectAll().where('id', '=', id)

/** Consumes the approval in the commit of the reservation. False: it cannot be used any more. */
export async function useApproval(
  transaction: Transaction<Schema>,
  needs: SealNeeds,
  agentNo: number,
  { id, wishHash, usableIn }: UsableApproval,
  { intentId, at, ...reservation }: Reservation,
): Promise<boolean> {
  const row = await findApproval(transaction, needs, agentNo, id)
  const isUsable =
    row !== undefined &&
    row.wish_hash === wishHash &&
    usableIn.some((state) => state === row.state) &&
    row.expires_at > at &&
    row.created_at <= at + CLOCK_STEP_MS
  if (!isUsable) return false
  const before = await transaction
    .selectFrom('reservations')
    .select('id')
    .where('id', '=', reservation.id)
    .executeTakeFirst()
  if (before) refuseUsedTwice(needs, row)
  await rewrite(transaction, sealed(needs.secrets, { ...row, state: 'used', intent_id: intentId }))
  return true
}

/** Moves the approvals to the agent's replacement; those that were tampered with lose their seal. */
export async function transferApprovals(
  transaction: Transaction<Schema>,
  secrets: SealNeeds['secrets'],
  from: number,
  to: number,
): Promise<void> {
  for (const row of await selectApprovals(transaction, from).execute()) {
    const moved = { ...row, agent_no: to }
    await rewrite(
      transaction,
      isSealedApproval(secrets, row) ? sealed(secrets, moved) : { ...moved, mac: null },
    )
  }
}
