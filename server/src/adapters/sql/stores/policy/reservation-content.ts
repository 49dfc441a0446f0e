import type { Selectable } from 'kysely'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { sizedCache } from '../../../../basics/sized-cache.ts'
import { STAKING_ACTIONS } from '../../../../basics/staking-actions.ts'
import type { Schema } from '../../schema.ts'
import { amount, listOf, number, object, oneOf, optional, text, writeJson } from '../../stored-shape.ts'

const itemsIn = listOf<ReservedItem>(
  object<ReservedItem>({
    action: oneOf(STAKING_ACTIONS),
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

/** The maximum number of characters of stored items in the cache. */
const MAX_KNOWN = 4_000_000

/**
 * Reads stored items. Under some rules every build of an agent reads all of its open builds, so parsed items are
 * cached by their text: parsing JSON takes ten times as long as looking up the text.
 */
const readKnown = knownBySize((items: string) => itemsIn(JSON.parse(items), 'reservations.items'), MAX_KNOWN)

function knownBySize<T>(read: (text: string) => T, most: number): (text: string) => T {
  const known = sizedCache<string, T>(most)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = read(text)
    known.set(text, value, text.length)
    return value
  }
}

export const readItems = ({ items }: { readonly items: string }): readonly ReservedItem[] => readKnown(items)

export const writeItems = (items: readonly ReservedItem[]): string => writeJson(items)

export function toReservation(row: Selectable<Schema['reservations']>): Reservation {
  return {
    id: row.id,
    intentId: row.intent_id,
    at: row.at,
    expiresAt: row.expires_at,
    epoch: row.epoch,
    sender: row.sender ?? undefined,
    items: readItems(row),
    isSeen: row.state === 'seen',
  }
}

/** Whether it counts, by the sealed `state`. */
export const isCounting = ({ state }: Selectable<Schema['reservations']>): boolean => state !== 'free'
