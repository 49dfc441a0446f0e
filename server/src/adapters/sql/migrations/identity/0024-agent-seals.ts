import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** What binds the row of an agent together; rows of before get theirs when the service starts. */
export async function addAgentSeals(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('agents').addColumn('mac', 'text').execute()
}
