import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** What an action was about besides its agent; actions of before have none. */
export async function addActionDetails(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('agent_actions').addColumn('details', 'text').execute()
}
