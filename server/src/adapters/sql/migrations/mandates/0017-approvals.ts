import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Transactions that an owner must approve before they are built. */
export async function createApprovals(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('approvals')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent_no', 'integer', (column) => column.notNull().references('agents.no'))
    .addColumn('no', 'integer', required)
    .addColumn('wish_hash', 'text', required)
    .addColumn('wish', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('decided_role', 'text')
    .addColumn('intent_id', 'text')
    .addUniqueConstraint('approvals_by_agent', ['agent_no', 'no'])
    .execute()
}
