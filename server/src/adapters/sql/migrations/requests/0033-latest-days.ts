import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** An agent's counts of its latest day, in the row of its quotas, so that a request changes one row, not two. */
export async function addLatestDays(db: Kysely<Schema>): Promise<void> {
  for (const name of ['latest_day', 'built', 'built_aware'])
    await db.schema.alterTable('agent_activity').addColumn(name, 'integer').execute()
  await db.schema.alterTable('agent_activity').addColumn('tools', 'text').execute()
}
