import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Schema } from '../../schema.ts'
import type { AgentRow } from '../agent-rows.ts'
import { resealed, selectSealed } from '../keys/agent-seal.ts'
import { transferApprovals } from './approval-changes.ts'
import { transferBuilds } from './kept-builds.ts'
import { isBooked } from './ledger/booked-rows.ts'
import { beginSums, entryOf } from './ledger/booking.ts'
import { type LedgerSeal, ledgerSeal } from './ledger/ledger-seal.ts'
import { arePolicies, policiesOf, sealPolicies } from './ledger/policy-seal.ts'
import { sealRows } from './ledger/reservation-states.ts'
import { hasSums, isWholeLedger } from './ledger/whole-ledger.ts'

/**
 * Hands a mandate on to the agent's replacement. Policies are copied with all revisions and their ends;
 * reservations, kept builds and approvals are moved, so that nothing counts twice and no approval is used
 * twice. The same transaction revokes the old agent and adds the new one.
 */
export async function transferMandate(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  { no: from, policy_revision }: Pick<AgentRow, 'no' | 'policy_revision'>,
  { no: to, id }: { readonly no: number; readonly id: string },
): Promise<void> {
  await transferPolicies(transaction, secrets, from, to)
  await transferReservations(transaction, ledgerSeal(secrets), from, to)
  await transferApprovals(transaction, secrets, from, to)
  await transferBuilds(transaction, from, to)
  const change = { policy_revision }
  const before = await selectSealed(transaction).where('id', '=', id).executeTakeFirst()
  await transaction
    .updateTable('agents')
    .set({ ...change, ...resealed(secrets, before, change) })
    .where('no', '=', to)
    .execute()
}

/** Policies that were tampered with are handed on without a seal, so that they stay invalid. */
async function transferPolicies(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  from: number,
  to: number,
): Promise<void> {
  const rows = await policiesOf(transaction, from)
  if (rows.length === 0) return
  const copies = arePolicies(secrets, rows)
    ? sealPolicies(secrets, rows, to)
    : rows.map((row) => ({ ...row, agent_no: to, mac: null }))
  for (const copy of copies) await transaction.insertInto('policies').values(copy).execute()
}

/** Moves the reservations. The new agent gets valid seals and sums only if the old ledger was intact. */
async function transferReservations(
  transaction: Transaction<Schema>,
  seal: LedgerSeal,
  from: number,
  to: number,
): Promise<void> {
  if (!(await hasSums(transaction, from))) return
  const isGenuine = await isWholeLedger({ db: transaction, seal, agentNo: from })
  const reservations = transaction.selectFrom('reservations').selectAll().where('agent_no', '=', from)
  if (isGenuine) {
    const rows = await reservations.execute()
    await sealRows(transaction, { seal, agentNo: to }, rows)
    await beginSums(transaction, { seal, agentNo: to }, rows.filter(isBooked).map(entryOf))
  } else {
    await transaction.updateTable('reservations').set({ agent_no: to }).where('agent_no', '=', from).execute()
  }
  await transaction.deleteFrom('reserved_sums').where('agent_no', '=', from).execute()
  await beginSums(transaction, { seal, agentNo: from })
}
