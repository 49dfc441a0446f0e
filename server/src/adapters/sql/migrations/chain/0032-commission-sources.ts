import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Whether the commission of a completed epoch was read while it ran, or is that of a later reading. */
export async function addCommissionSources(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('epoch_records').addColumn('commission_read', 'integer').execute()
}
