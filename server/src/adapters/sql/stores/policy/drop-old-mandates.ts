import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import type { Database, Schema } from '../../schema.ts'
import { assertInSums, isBooked } from './ledger/booked-rows.ts'
import { book, entryOf } from './ledger/booking.ts'
import { ledgerSeal, type ReservationRow, TamperedError } from './ledger/ledger-seal.ts'
import { lockAgent } from './lock-agent.ts'

const STEP_ROWS = 1_000
/** Fewer, because their agent is locked meanwhile: a batch of admissions waits for it. */
const STEP_RESERVATIONS = 200

type OldMandates = Parameters<AuditUpkeep['dropMandates']>[0]
type Digest = Pick<Secrets, 'digest'>

/** Deletes some approvals and reservations that no rule depends on; returns the number deleted. */
export async function dropOldMandates(db: Database, secrets: Digest, old: OldMandates): Promise<number> {
  const approvals = db
    .selectFrom('approvals')
    .select('id')
    .where('expires_at', '<', old.approvalsBefore)
    .orderBy('expires_at')
    .limit(STEP_ROWS)
  const { numDeletedRows } = await db
    .deleteFrom('approvals')
    .where('id', 'in', approvals)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) + (await dropReservations(db, secrets, old.reservationsBefore))
}

/** Deletes old reservations of the agent that has the oldest one. */
async function dropReservations(db: Database, secrets: Digest, before: number): Promise<number> {
  const oldest = await db
    .selectFrom('reservations')
    .select('agent_no')
    .where('at', '<', before)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return 0
  return db.transaction().execute(async (transaction) => {
    await lockAgent(transaction, oldest.agent_no)
    const rows = await transaction
      .selectFrom('reservations')
      .selectAll()
      .where('agent_no', '=', oldest.agent_no)
      .where('at', '<', before)
      .orderBy('at')
      .limit(STEP_RESERVATIONS)
      .execute()
    await subtractFromSums(transaction, secrets, oldest.agent_no, rows)
    const ids = rows.map(({ id }) => id)
    await transaction.deleteFrom('reservations').where('id', 'in', ids).execute()
    return rows.length
  })
}

/** Subtracts the rows from the sums, except in a ledger with wrong seals, which did not add up before. */
async function subtractFromSums(
  transaction: Transaction<Schema>,
  secrets: Digest,
  agentNo: number,
  rows: readonly ReservationRow[],
): Promise<void> {
  const booking = { seal: ledgerSeal(secrets), agentNo }
  const booked = rows.filter(isBooked)
  try {
    await assertInSums(transaction, booking, booked)
    await book(transaction, booking, booked.map(entryOf), -1)
  } catch (error) {
    if (!(error instanceof TamperedError)) throw error
  }
}
