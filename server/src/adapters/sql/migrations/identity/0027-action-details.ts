import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Details of an action besides its agent; existing actions have none. */
export async function addActionDetails(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('agent_actions').addColumn('details', 'text').execute()
}
