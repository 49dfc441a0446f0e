import { sql, type Transaction } from 'kysely'
import { rowsOf } from '../../../engine.ts'
import type { Schema } from '../../../schema.ts'
import { assertInSums } from './booked-rows.ts'
import { type Booking, book, entryOf } from './booking.ts'
import type { LedgerSeal, ReservationRow } from './ledger-seal.ts'

/** Changes a sealed row. False: it has changed in the meantime. */
export async function updateSealed(
  transaction: Transaction<Schema>,
  seal: LedgerSeal,
  row: ReservationRow,
  change: Partial<Pick<ReservationRow, 'state' | 'at' | 'later_at' | 'items'>>,
): Promise<boolean> {
  const mac = seal.sealReservation({ ...row, ...change })
  const done = await transaction
    .updateTable('reservations')
    .set({ ...change, mac })
    .where('id', '=', row.id)
    .where('mac', '=', row.mac)
    .returning('id')
    .executeTakeFirst()
  return done !== undefined
}

/** Releases reservations, except those seen on the chain. Resolves with the released ids. */
export async function releaseRows(
  transaction: Transaction<Schema>,
  booking: Booking,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', booking.agentNo)
    .where('id', 'in', ids)
    .where('state', '=', 'counts')
    .orderBy('id')
    .execute()
  await assertInSums(transaction, booking, rows)
  const released: ReservationRow[] = []
  for (const row of rows)
    if (await updateSealed(transaction, booking.seal, row, { state: 'free' })) released.push(row)
  await book(transaction, booking, released.map(entryOf), -1)
  return released.map(({ id }) => id)
}

/** Rows dated after `latest` get the date `now` until the clock reaches theirs, kept as the later date. */
export async function redateRows(
  transaction: Transaction<Schema>,
  booking: Booking,
  { latest, now }: { readonly latest: number; readonly now: number },
): Promise<void> {
  const rows = await transaction
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', booking.agentNo)
    .where((where) => where.or([where('at', '>', latest), where('later_at', '<=', latest)]))
    .where('state', 'in', ['counts', 'seen'])
    .orderBy('id')
    .execute()
  await assertInSums(transaction, booking, rows)
  const [before, after]: [ReservationRow[], ReservationRow[]] = [[], []]
  for (const row of rows) {
    const dates = newDates(row, { latest, now })
    if (!(await updateSealed(transaction, booking.seal, row, dates))) continue
    before.push(row)
    after.push({ ...row, ...dates })
  }
  await book(transaction, booking, before.map(entryOf), -1)
  await book(transaction, booking, after.map(entryOf), 1)
}

function newDates(
  { at, later_at }: ReservationRow,
  { latest, now }: { readonly latest: number; readonly now: number },
): Pick<ReservationRow, 'at' | 'later_at'> {
  const last = Math.max(at, later_at ?? at)
  if (last <= latest) return { at: last, later_at: null }
  return { at: Math.min(at, now), later_at: last }
}

const STEP_ROWS = 500

/** Seals these rows for the agent, whatever seal they had. */
export async function sealRows(
  transaction: Transaction<Schema>,
  { seal, agentNo }: Booking,
  rows: readonly ReservationRow[],
): Promise<void> {
  for (let first = 0; first < rows.length; first += STEP_ROWS) {
    const given = rows.slice(first, first + STEP_ROWS).map((row) => ({
      id: row.id,
      mac: seal.sealReservation({ ...row, agent_no: agentNo }),
    }))
    await sql`update reservations
      set agent_no = ${agentNo}, mac = given.mac
      from (select row ->> 'id' as id, row ->> 'mac' as mac
        from ${rowsOf(transaction, given)}) as given
      where reservations.id = given.id`.execute(transaction)
  }
}
