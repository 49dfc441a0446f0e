import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** The policies of agents. The newest revision's number is in the agent's row, which admission reads. */
export async function createPolicies(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('agents').addColumn('policy_revision', 'integer').execute()
  await db.schema
    .createTable('policies')
    .addColumn('agent_no', 'integer', (column) => column.notNull().references('agents.no'))
    .addColumn('revision', 'integer', required)
    .addColumn('hash', 'text', required)
    .addColumn('document', 'text', required)
    .addColumn('changed_at', 'bigint', required)
    .addColumn('changed_by', 'text', required)
    .addColumn('changed_role', 'text', required)
    .addColumn('loosen_ms', 'bigint', required)
    .addColumn('holds_until', 'bigint')
    .addPrimaryKeyConstraint('policies_key', ['agent_no', 'revision'])
    .execute()
}
