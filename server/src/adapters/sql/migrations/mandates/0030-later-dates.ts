import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** A second date for reservations, where the clock was put back: either clock may be right. */
export async function addLaterDates(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('reservations').addColumn('later_at', 'bigint').execute()
  await db.schema
    .createIndex('reservations_by_later_date')
    .on('reservations')
    .columns(['agent_no', 'later_at'])
    .where('later_at', 'is not', null)
    .execute()
}
