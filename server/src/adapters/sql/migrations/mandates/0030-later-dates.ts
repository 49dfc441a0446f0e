import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** What a clock that was later has said, of reservations that were dated anew: it may have been the right one. */
export async function addLaterDates(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('reservations').addColumn('later_at', 'bigint').execute()
  await db.schema
    .createIndex('reservations_by_later_date')
    .on('reservations')
    .columns(['agent_no', 'later_at'])
    .where('later_at', 'is not', null)
    .execute()
}
