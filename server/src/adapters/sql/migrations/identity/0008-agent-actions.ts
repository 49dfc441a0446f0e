import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import { numbered } from '../../engine.ts'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

export async function createAgentActions(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('agent_actions')
    .addColumn('no', 'integer', numbered(db))
    .addColumn('at', 'bigint', required)
    .addColumn('actor_kind', 'text', required)
    .addColumn('actor_id', 'text')
    .addColumn('actor_role', 'text')
    .addColumn('action', 'text', required)
    .addColumn('agent_id', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('via', 'text', required)
    .addColumn('previous', 'text', required)
    .addColumn('mac', 'text', required)
    .execute()
  await db.schema
    .createIndex('agent_actions_by_agent')
    .on('agent_actions')
    .columns(['agent_id', 'no'])
    .execute()
  await db.schema.createIndex('agent_actions_by_time').on('agent_actions').column('at').execute()
}
