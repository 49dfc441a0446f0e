import type { Transaction } from 'kysely'
import type { ReservedItem, Sighting } from '#ports/stores/reservations.ts'
import type { Database, Schema } from '../../../schema.ts'
import { readItems, writeItems } from '../reservation-content.ts'
import type { Booking } from './booking.ts'
import type { ReservationRow } from './ledger-seal.ts'
import { updateSealed } from './reservation-states.ts'

/** Most token ids in one query; with more, all rows are read. */
const MAX_NAMED = 200

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
    .$if(tokenIds.length <= MAX_NAMED, (query) =>
      query.where((where) => where.or(tokenIds.map((id) => where('items', 'like', `%"${id}"%`)))),
    )
    .execute()
  return rows.filter((row) => seal.isReservation(row))
}

const madeIn = (row: ReservationRow): readonly string[] =>
  readItems(row).flatMap(({ madeId }) => madeId ?? [])

/** Marks rows as seen on the chain. A row with a wrong seal stays as it is. */
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
    const rivalsOf = row && (await openRivals(transaction, row))
    const evidence = (item: ReservedItem, at: number) => ({
      madeId: madeIds[at],
      rivalIds: rivalsOf?.(item, madeIds[at]),
    })
    await mark(transaction, booking, row, evidence)
  }
}

type Evidence = Pick<ReservedItem, 'madeId' | 'rivalIds'>

async function mark(
  transaction: Transaction<Schema>,
  { seal }: Booking,
  row: ReservationRow | undefined,
  evidence: (item: ReservedItem, at: number) => Evidence,
): Promise<void> {
  if (row?.state !== 'counts' || !seal.isReservation(row)) return
  const items = writeItems(readItems(row).map((item, at) => ({ ...item, ...evidence(item, at) })))
  await updateSealed(transaction, seal, row, { state: 'seen', items })
}

/** Upper bounds of open rows examined and of rivals recorded. Beyond either, any reservation may be a rival. */
const MAX_OPEN = 500
const MAX_RIVALS = 50

/** Finds open reservations of the agent that may have created a token instead of this one. */
async function openRivals(transaction: Transaction<Schema>, { id, agent_no, sender }: ReservationRow) {
  const rows = await transaction
    .selectFrom('reservations')
    .select(['id', 'items'])
    .where('agent_no', '=', agent_no)
    .where('sender', '=', sender)
    .where('state', '=', 'counts')
    .where('id', '<>', id)
    .limit(MAX_OPEN + 1)
    .execute()
  const open = rows.map((row) => ({ id: row.id, items: readItems(row) }))
  return (
    { validatorId, amount }: ReservedItem,
    madeId: string | undefined,
  ): readonly string[] | undefined => {
    if (madeId === undefined || open.length > MAX_OPEN) return undefined
    const couldCreate = (other: ReservedItem) =>
      other.token === undefined && other.validatorId === validatorId && other.amount >= amount
    const rivals = open.filter(({ items }) => items.some(couldCreate)).map((one) => one.id)
    return rivals.length > MAX_RIVALS ? undefined : rivals
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
  if (from?.state !== 'seen' || to?.state !== 'counts') return false
  if (![from, to].every((row) => booking.seal.isReservation(row))) return false
  const moved = readItems(from).map(({ madeId, rivalIds }) => ({
    madeId,
    // Reservations built since the sighting cannot have created the token, so only `fromId` becomes a rival too.
    rivalIds: rivalIds && [...rivalIds, fromId],
  }))
  const without = readItems(from).map((item) => ({ ...item, madeId: undefined, rivalIds: undefined }))
  const change = { state: 'counts', items: writeItems(without) }
  await updateSealed(transaction, booking.seal, from, change)
  await mark(transaction, booking, to, (_, at) => moved[at] ?? {})
  return true
}

const rowOf = (transaction: Transaction<Schema>, { agentNo }: Booking, id: string) =>
  transaction
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('id', '=', id)
    .executeTakeFirst()
