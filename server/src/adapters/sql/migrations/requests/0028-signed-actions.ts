import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** The newest management action at the time of a checkpoint; existing checkpoints have none. */
export async function addSignedActions(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('audit_checkpoints').addColumn('action_no', 'bigint').execute()
  await db.schema.alterTable('audit_checkpoints').addColumn('action_hash', 'text').execute()
}
