import type { Database } from '../../../schema.ts'
import { type Booking, entryOf, sumsOf } from './booking.ts'
import { type ReservationRow, TamperedError } from './ledger-seal.ts'
import { beginOf, keyOf, MINUTE, rangeAt } from './levels.ts'

/**
 * Checks that the sums of these rows' minutes match all rows of those minutes. Otherwise a released row that was
 * restored in the database could be released twice.
 */
export async function assertInSums(
  db: Database,
  { seal, agentNo }: Booking,
  rows: readonly ReservationRow[],
): Promise<void> {
  const wrong = () => new TamperedError(agentNo, 'the reservations')
  for (const begins of new Set(rows.map(({ at }) => beginOf(MINUTE, at)))) {
    const inMinute = (await rowsWithin(db, agentNo, begins)).filter(isBooked)
    if (!inMinute.every(seal.isReservation)) throw wrong()
    const expected = sumsOf(agentNo, inMinute.map(entryOf)).get(keyOf({ level: MINUTE, begins }))
    const stored = await db
      .selectFrom('reserved_sums')
      .selectAll()
      .where('agent_no', '=', agentNo)
      .where('level', '=', MINUTE)
      .where('begins', '=', begins)
      .executeTakeFirst()
    if (!stored || !seal.isSums(stored)) throw wrong()
    if (stored.entries !== expected?.entries || stored.moved !== expected.moved) throw wrong()
  }
}

const rowsWithin = (db: Database, agentNo: number, begins: number) =>
  db
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('at', '>=', begins)
    .where('at', '<', rangeAt(MINUTE, begins).to)
    .execute()

/** Whether the sums include the reservation. */
export const isBooked = ({ state }: Pick<ReservationRow, 'state'>): boolean =>
  state === 'counts' || state === 'seen'
