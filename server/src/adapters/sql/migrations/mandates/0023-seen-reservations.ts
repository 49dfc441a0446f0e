import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Which reservations were seen executed on the chain, and indexes to find those that still may be. */
export async function createSeenReservations(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('reservations').addColumn('is_seen', 'integer').execute()
  await db.schema.createIndex('reservations_by_sender').on('reservations').column('sender').execute()
  await db.schema.createIndex('reservations_by_expiry').on('reservations').column('expires_at').execute()
}
