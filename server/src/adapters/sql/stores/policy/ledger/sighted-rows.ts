import type { Transaction } from 'kysely'
import type { Sighting } from '#ports/stores/reservations.ts'
import type { Database, Schema } from '../../../schema.ts'
import { readItems, writeItems } from '../reservation-content.ts'
import type { Booking } from './booking.ts'
import type { ReservationRow } from './ledger-seal.ts'
import { updateSealed } from './reservation-states.ts'

/** Most token ids in one query; with more, all rows are read. */
const MOST_NAMED = 200

/** Rows seen on the chain that contain one of these tokens. Rows with a wrong seal are left out. */
export async function seenRowsWith(
  db: Database,
  { seal, agentNo }: Booking,
  tokenIds: readonly string[],
): Promise<readonly ReservationRow[]> {
  if (tokenIds.length === 0) return []
  const rows = await db
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('state', '=', 'seen')
    .$if(tokenIds.length <= MOST_NAMED, (query) =>
      query.where((where) => where.or(tokenIds.map((id) => where('items', 'like', `%"${id}"%`)))),
    )
    .execute()
  return rows.filter((row) => seal.isReservation(row))
}

const itemsOf = ({ items }: ReservationRow) => readItems(JSON.parse(items), 'reservations.items')

const madeIn = (row: ReservationRow): readonly string[] => itemsOf(row).flatMap(({ madeId }) => madeId ?? [])

/** Marks rows as seen on the chain. A row that was tampered with gets only the unsealed mark. */
export async function markRowsSeen(
  transaction: Transaction<Schema>,
  booking: Booking,
  sightings: readonly Sighting[],
): Promise<void> {
  const made = sightings.flatMap(({ madeIds }) => madeIds.filter((id) => id !== undefined))
  const taken = new Set((await seenRowsWith(transaction, booking, made)).flatMap(madeIn))
  for (const { id, madeIds } of sightings) {
    if (madeIds.some((madeId) => madeId !== undefined && taken.has(madeId))) continue
    const row = await rowOf(transaction, booking, id)
    if (row?.state === 'counts' && booking.seal.isReservation(row)) {
      const items = writeItems(itemsOf(row).map((item, at) => ({ ...item, madeId: madeIds[at] })))
      if (await updateSealed(transaction, booking.seal, row, { state: 'seen', is_seen: 1, items })) continue
    }
    await transaction.updateTable('reservations').set({ is_seen: 1 }).where('id', '=', id).execute()
  }
}

/** Moves the evidence to the reservation that was executed instead. False: one of the two has changed. */
export async function moveMark(
  transaction: Transaction<Schema>,
  booking: Booking,
  { fromId, toId }: { readonly fromId: string; readonly toId: string },
): Promise<boolean> {
  const from = await rowOf(transaction, booking, fromId)
  const to = await rowOf(transaction, booking, toId)
  if (from?.state !== 'seen' || to?.state !== 'counts' || to.is_seen !== null) return false
  if (![from, to].every((row) => booking.seal.isReservation(row))) return false
  const madeIds = itemsOf(from).map(({ madeId }) => madeId)
  const without = writeItems(itemsOf(from).map((item) => ({ ...item, madeId: undefined })))
  await updateSealed(transaction, booking.seal, from, { state: 'counts', is_seen: null, items: without })
  await markRowsSeen(transaction, booking, [{ id: toId, madeIds }])
  return true
}

const rowOf = (transaction: Transaction<Schema>, { agentNo }: Booking, id: string) =>
  transaction
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('id', '=', id)
    .executeTakeFirst()
