import type { Selectable } from 'kysely'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import type { Schema } from '../../schema.ts'
import { amount, listOf, number, object, oneOf, optional, text, writeJson } from '../../stored-shape.ts'

export const readItems = listOf<ReservedItem>(
  object<ReservedItem>({
    action: oneOf(['stake', 'unstake', 'withdraw', 'join']),
    validatorId: text,
    amount,
    token: optional(object<NonNullable<ReservedItem['token']>>({ id: text, principal: amount })),
    joinedIds: optional(listOf(text)),
    alike: optional(number),
    knownIds: optional(listOf(text)),
    madeId: optional(text),
    rivalIds: optional(listOf(text)),
    lastEpoch: optional(number),
  }),
)

export const writeItems = (items: readonly ReservedItem[]): string => writeJson(items)

export function toReservation(row: Selectable<Schema['reservations']>): Reservation {
  return {
    id: row.id,
    intentId: row.intent_id,
    at: row.at,
    expiresAt: row.expires_at,
    epoch: row.epoch,
    sender: row.sender ?? undefined,
    items: readItems(JSON.parse(row.items), 'reservations.items'),
    isSeen: row.state === 'seen',
  }
}

/** Whether it counts, by the sealed `state`. */
export const isCounting = ({ state }: Selectable<Schema['reservations']>): boolean => state !== 'free'
