import type { Database } from '../../../schema.ts'
import { type Booking, entryOf, sumsOf } from './booking.ts'
import { type ReservationRow, type SumsRow, TamperedError } from './ledger-seal.ts'
import { beginOf, keyOf, MINUTE, rangeAt } from './levels.ts'

/**
 * Checks that the sums of these rows' minutes match all rows of those minutes. Otherwise a released row that was
 * restored in the database could be released twice. Few queries, however many minutes: the agent is locked meanwhile.
 */
export async function assertInSums(
  db: Database,
  { seal, agentNo }: Booking,
  rows: readonly ReservationRow[],
): Promise<void> {
  const minutes = [...new Set(rows.map(({ at }) => beginOf(MINUTE, at)))]
  if (minutes.length === 0) return
  const booked = (await rowsWithin(db, agentNo, minutes)).filter(isBooked)
  const sums = await db
    .selectFrom('reserved_sums')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('level', '=', MINUTE)
    .where('begins', 'in', minutes)
    .execute()
  const expected = sumsOf(agentNo, booked.map(entryOf))
  const isRight = (stored: SumsRow) => {
    const { entries, moved } = expected.get(keyOf(stored)) ?? {}
    return seal.isSums(stored) && stored.entries === entries && stored.moved === moved
  }
  if (sums.length < minutes.length || !booked.every(seal.isReservation) || !sums.every(isRight))
    throw new TamperedError(agentNo, 'the reservations')
}

/** Minutes per query: SQLite limits the depth of a condition. */
const MINUTES_AT_ONCE = 100

async function rowsWithin(db: Database, agentNo: number, minutes: readonly number[]) {
  const found: ReservationRow[] = []
  for (let first = 0; first < minutes.length; first += MINUTES_AT_ONCE) {
    const ranges = minutes.slice(first, first + MINUTES_AT_ONCE).map((begins) => rangeAt(MINUTE, begins))
    const rows = await db
      .selectFrom('reservations')
      .selectAll()
      .where('agent_no', '=', agentNo)
      .where(({ or, and, eb }) =>
        or(ranges.map(({ from, to }) => and([eb('at', '>=', from), eb('at', '<', to)]))),
      )
      .execute()
    found.push(...rows)
  }
  return found
}

/** Whether the sums include the reservation. */
export const isBooked = ({ state }: Pick<ReservationRow, 'state'>): boolean =>
  state === 'counts' || state === 'seen'
