import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Which reservations the chain has shown as carried out, and a way to find those that it may still show. */
export async function createSeenReservations(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('reservations').addColumn('is_seen', 'integer').execute()
  await db.schema.createIndex('reservations_by_sender').on('reservations').column('sender').execute()
  await db.schema.createIndex('reservations_by_expiry').on('reservations').column('expires_at').execute()
}
