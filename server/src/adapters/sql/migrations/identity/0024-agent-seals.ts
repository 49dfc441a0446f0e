import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** MAC over an agent's row. */
export async function addAgentSeals(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('agents').addColumn('mac', 'text').execute()
}
