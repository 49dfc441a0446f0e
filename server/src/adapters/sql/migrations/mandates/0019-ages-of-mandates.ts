import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Indexes for retention to find old rows. */
export async function createAgesOfMandates(db: Kysely<Schema>): Promise<void> {
  await db.schema.createIndex('reservations_by_age').on('reservations').column('at').execute()
  await db.schema.createIndex('approvals_by_expiry').on('approvals').column('expires_at').execute()
}
