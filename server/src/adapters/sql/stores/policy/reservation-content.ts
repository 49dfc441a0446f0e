import type { Selectable } from 'kysely'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import type { Database, Schema } from '../../schema.ts'
import { amount, listOf, number, object, oneOf, optional, text } from '../../stored-shape.ts'

const readItems = listOf<ReservedItem>(
  object<ReservedItem>({
    action: oneOf(['stake', 'unstake', 'withdraw', 'join']),
    validatorId: text,
    amount,
    token: optional(object<NonNullable<ReservedItem['token']>>({ id: text, principal: amount })),
    joinedIds: optional(listOf(text)),
    alike: optional(number),
  }),
)

export function toReservation(row: Selectable<Schema['reservations']>): Reservation {
  return {
    id: row.id,
    intentId: row.intent_id,
    at: row.at,
    expiresAt: row.expires_at,
    epoch: row.epoch,
    sender: row.sender ?? undefined,
    items: readItems(JSON.parse(row.items), 'reservations.items'),
    isSeen: row.is_seen !== null,
  }
}

/** More are not kept in memory. */
const MOST_KNOWN = 20_000
/** So many are read at a time. */
const STEP_ROWS = 500

/**
 * What a reservation is for never changes, so it is decoded once: only when it was made, and whether it was seen, is
 * read each time. A window may have thousands of them, and each build looks at all.
 */
export function rememberContent() {
  const known = new Map<string, Reservation>()
  /** Those that are not known yet are read. */
  return async (db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Reservation>> => {
    const content = new Map<string, Reservation>()
    for (const id of ids) {
      const one = known.get(id)
      if (one) content.set(id, one)
    }
    const missing = ids.filter((id) => !content.has(id))
    if (known.size + missing.length > MOST_KNOWN) known.clear()
    for (let first = 0; first < missing.length; first += STEP_ROWS) {
      const step = missing.slice(first, first + STEP_ROWS)
      const rows = await db.selectFrom('reservations').selectAll().where('id', 'in', step).execute()
      for (const row of rows) {
        content.set(row.id, toReservation(row))
        known.set(row.id, toReservation(row))
      }
    }
    return content
  }
}

export type ContentOf = ReturnType<typeof rememberContent>
