import type { Database } from '../../../schema.ts'
import { isBooked } from './booked-rows.ts'
import { entryOf, sumsOf } from './booking.ts'
import type { LedgerSeal, ReservationRow, SumsRow } from './ledger-seal.ts'
import { keyOf } from './levels.ts'
import type { Ledger } from './window-path.ts'

/** Whether the agent has sums. */
export async function hasSums(db: Database, agentNo: number): Promise<boolean> {
  const found = await db
    .selectFrom('reserved_sums')
    .select('agent_no')
    .where('agent_no', '=', agentNo)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether all reservations and sums of an agent have valid seals and the sums match the reservations. */
export async function isWholeLedger({ db, seal, agentNo }: Ledger): Promise<boolean> {
  const rows = await db.selectFrom('reservations').selectAll().where('agent_no', '=', agentNo).execute()
  const sums = await db.selectFrom('reserved_sums').selectAll().where('agent_no', '=', agentNo).execute()
  return addsUp(seal, agentNo, rows, sums)
}

export function addsUp(
  seal: LedgerSeal,
  agentNo: number,
  rows: readonly ReservationRow[],
  stored: readonly SumsRow[],
): boolean {
  if (!rows.every(seal.isReservation) || !stored.every(seal.isSums)) return false
  const expected = sumsOf(agentNo, rows.filter(isBooked).map(entryOf))
  return (
    stored.length === expected.size &&
    stored.every((sums) => {
      const same = expected.get(keyOf(sums))
      return same?.entries === sums.entries && same.moved === sums.moved
    })
  )
}
